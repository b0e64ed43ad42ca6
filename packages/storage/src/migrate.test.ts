import { describe, expect, it } from 'vitest'
import { compareSchema, describeSchemaProblem, type SchemaFacts } from './migrate.ts'

const ours: SchemaFacts = {
  known: ['0001-first', '0002-second'],
  executed: ['0001-first', '0002-second'],
  expectedTables: ['user', 'token'],
  tables: new Set(['user', 'token', 'other_product']),
}

describe('comparing a schema with this build', () => {
  it('recognizes an empty database, even with tables of other products', () => {
    expect(compareSchema({ ...ours, executed: [], tables: new Set(['other_product']) })).toEqual({ kind: 'empty' })
  })

  it('recognizes a current database', () => {
    expect(compareSchema(ours)).toEqual({ kind: 'current' })
  })

  it('lists the missing migrations', () => {
    expect(compareSchema({ ...ours, executed: ['0001-first'], tables: new Set(['user']) })).toEqual({
      kind: 'behind',
      missing: ['0002-second'],
    })
  })

  it('lists the unknown migrations', () => {
    expect(compareSchema({ ...ours, executed: ['0001-first', '0002-second', '0003-later'] })).toEqual({
      kind: 'newer',
      unknown: ['0003-later'],
    })
  })

  it.each([
    ['0002-second', 'compatible'],
    ['0001-first', 'compatible'],
    ['0003-later', 'newer'],
  ])('needs a build with %s: %s', (oldestBuild, kind) => {
    const executed = ['0001-first', '0002-second', '0003-later']

    expect(compareSchema({ ...ours, executed, oldestBuild })).toEqual({ kind, unknown: ['0003-later'] })
  })

  it.each([
    ['a migration of ours was skipped', { executed: ['0002-second'] }, '0002-second'],
    ['an unknown migration replaces one of ours', { executed: ['0001-first', '0002-other'] }, '0002-other'],
    ['a table is missing', { tables: new Set(['user']) }, 'token'],
    ['tables exist without recorded migrations', { executed: [] }, 'user, token'],
  ])('reports an inconsistent schema when %s', (_case, change, named) => {
    const state = compareSchema({ ...ours, ...change })

    expect(state.kind).toBe('inconsistent')
    expect(describeSchemaProblem(state)).toContain(named)
  })

  it('gives advice for every state that cannot be served', () => {
    expect(describeSchemaProblem({ kind: 'current' })).toBeUndefined()
    expect(describeSchemaProblem({ kind: 'compatible', unknown: ['0003-later'] })).toBeUndefined()
    expect(describeSchemaProblem({ kind: 'empty' })).toContain('tidegate migrate')
    expect(describeSchemaProblem({ kind: 'behind', missing: ['0002-second'] })).toContain('0002-second')
    expect(describeSchemaProblem({ kind: 'newer', unknown: ['0003-later'] })).toContain('0003-later')
  })
})
