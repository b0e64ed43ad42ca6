import { describe, expect, it } from 'vitest'
import { readDetails } from './read-details.ts'

describe('what an event changed', () => {
  it('is told field by field, without what stayed the same', () => {
    const details = { before: { role: 1, status: 1 }, after: { role: 10, status: 1 } }

    expect(readDetails(details)).toEqual({ changes: [{ path: ['role'], before: 1, after: 10 }], facts: [] })
  })

  it('is the value itself where the subject is one, with the rest as facts', () => {
    expect(readDetails({ before: 700, after: 1200, amount: 500, seen: null })).toEqual({
      changes: [{ path: [], before: 700, after: 1200 }],
      facts: [{ name: 'amount', value: 500 }],
    })
  })

  it('is looked for inside options that hold JSON, at any depth', () => {
    const before = '{"vip":{"gpt-3.5":1,"gpt-4o":2},"old":3}'
    const after = '{"vip":{"gpt-3.5":1,"gpt-4o":2.5},"new":4}'

    expect(readDetails({ before, after }).changes).toEqual([
      { path: ['vip', 'gpt-4o'], before: 2, after: 2.5 },
      { path: ['old'], before: 3, after: undefined },
      { path: ['new'], before: undefined, after: 4 },
    ])
  })

  it('is everything where something was made', () => {
    expect(readDetails({ after: { username: 'mira', display_name: 'Mira' } }).changes).toEqual([
      { path: ['username'], before: undefined, after: 'mira' },
      { path: ['display_name'], before: undefined, after: 'Mira' },
    ])
  })

  it('may be noted for one field only', () => {
    expect(readDetails({ fields: ['status'], status: { before: 1, after: 2 } })).toEqual({
      changes: [{ path: ['status'], before: 1, after: 2 }],
      facts: [{ name: 'fields', value: ['status'] }],
    })
  })

  it('is two whole values where they are lists, broken JSON or of different kinds', () => {
    expect(readDetails({ before: ['a'], after: ['a', 'b'] }).changes).toEqual([
      { path: [], before: ['a'], after: ['a', 'b'] },
    ])
    expect(readDetails({ before: '{broken', after: '{"a":1}' }).changes).toEqual([
      { path: [], before: '{broken', after: { a: 1 } },
    ])
  })

  it('is nothing where nothing was noted, and a name like a built-in is a name like any other', () => {
    expect(readDetails({})).toEqual({ changes: [], facts: [] })
    expect(readDetails({ before: '{}', after: '{"toString":1}' }).changes).toEqual([
      { path: ['toString'], before: undefined, after: 1 },
    ])
  })
})
