import { describe, expect, it } from 'vitest'
import { activeFilters, readFilters } from '../../ui/filters/define-filters.ts'
import { auditFilters, queryOf } from './filters.ts'

const read = (search: string) => readFilters(auditFilters, new URLSearchParams(search))
const active = (search: string) => activeFilters(auditFilters, read(search))

describe('the filters of the audit log', () => {
  it('are read from the URL and sent under the names of the API', () => {
    const search = 'actor=7&action=user.promote&subject=3&start=100&end=200'

    expect(queryOf(read(search))).toEqual({
      actor_id: 7,
      action: 'user.promote',
      subject: '3',
      start_timestamp: 100,
      end_timestamp: 200,
    })
    expect(active(search)).toEqual(['subject', 'actor', 'action', 'range'])
  })

  it('omit values that are not set or not a number', () => {
    const search = 'actor=mira&start=-5&end=1e9'

    expect(queryOf(read(search))).toEqual({})
    expect(active(search)).toEqual([])
  })
})
