import { describe, expect, it } from 'vitest'
import { chosenColumns, offeredColumns } from '../../../lib/column-choice.ts'
import { COLUMNS } from './column-rules.ts'

describe('the columns of the usage log', () => {
  it('say nothing of channels, other people or retries to an ordinary user, whatever was chosen', () => {
    const choice = { channel: true, user: true, retry: true, details: true }

    expect(chosenColumns(COLUMNS, choice, false)).toEqual(offeredColumns(COLUMNS, false))
    for (const key of ['channel', 'user', 'retry'] as const) expect(offeredColumns(COLUMNS, false)).not.toContain(key)
  })

  it('begin with a choice of their own for each rank', () => {
    expect(chosenColumns(COLUMNS, {}, true)).toEqual(expect.arrayContaining(['channel', 'user', 'retry', 'cost']))
    expect(chosenColumns(COLUMNS, {}, true)).not.toContain('token')
    expect(chosenColumns(COLUMNS, {}, false)).toEqual(expect.arrayContaining(['token', 'group', 'cost']))
  })

  it('follow what was chosen, in their own order', () => {
    expect(chosenColumns(COLUMNS, { group: true, time: false }, true).slice(0, 4)).toEqual([
      'channel',
      'user',
      'group',
      'type',
    ])
  })
})
