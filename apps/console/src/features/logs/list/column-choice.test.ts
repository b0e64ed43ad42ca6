import { describe, expect, it } from 'vitest'
import { chosenColumns, columnsFor } from './column-choice.ts'

describe('the columns of the usage log', () => {
  it('say nothing of channels, other people or retries to an ordinary user, whatever was chosen', () => {
    const choice = { channel: true, user: true, retry: true, details: true }

    expect(chosenColumns(choice, false)).toEqual(columnsFor(false))
    for (const key of ['channel', 'user', 'retry'] as const) expect(columnsFor(false)).not.toContain(key)
  })

  it('begin with a choice of their own for each rank', () => {
    expect(chosenColumns({}, true)).toEqual(expect.arrayContaining(['channel', 'user', 'retry', 'cost']))
    expect(chosenColumns({}, true)).not.toContain('token')
    expect(chosenColumns({}, false)).toEqual(expect.arrayContaining(['token', 'group', 'cost']))
  })

  it('follow what was chosen, in their own order', () => {
    expect(chosenColumns({ group: true, time: false }, true).slice(0, 4)).toEqual(['channel', 'user', 'group', 'type'])
  })
})
