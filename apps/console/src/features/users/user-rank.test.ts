import { describe, expect, it } from 'vitest'
import { actionsFor } from './user-rank.ts'

const ROOT = { role: 100 }
const ADMIN = { role: 10 }
const aRow = (changes: { role?: number; status?: number; DeletedAt?: string | null } = {}) => ({
  role: 1,
  status: 1,
  DeletedAt: null,
  ...changes,
})
const offered = (...parameters: Parameters<typeof actionsFor>) => [...actionsFor(...parameters)].sort()

describe('actionsFor', () => {
  it('offers all actions to the super admin', () => {
    expect(offered(ROOT, aRow())).toEqual(['delete', 'disable', 'edit', 'promote', 'reset_security', 'statement'])
    expect(offered(ROOT, aRow({ role: 10 }))).toEqual([
      'delete',
      'demote',
      'disable',
      'edit',
      'reset_security',
      'statement',
    ])
  })

  it('does not let an administrator promote', () => {
    expect(offered(ADMIN, aRow())).toEqual(['delete', 'disable', 'edit', 'reset_security', 'statement'])
  })

  it.each([10, 100])('offers an administrator nothing for role %i', (role) => {
    expect(offered(ADMIN, aRow({ role }))).toEqual([])
  })

  it('offers only edit and statement for the super admin', () => {
    expect(offered(ROOT, aRow({ role: 100 }))).toEqual(['edit', 'statement'])
  })

  it.each([2, 3, 9])('offers enable for status %i', (status) => {
    expect(offered(ADMIN, aRow({ status }))).toEqual(['delete', 'edit', 'enable', 'reset_security', 'statement'])
  })

  it('offers restore and statement for a deregistered user', () => {
    const DeletedAt = '2026-02-28T09:00:00Z'

    expect(offered(ROOT, aRow({ DeletedAt, role: 10 }))).toEqual(['restore', 'statement'])
    expect(offered(ADMIN, aRow({ DeletedAt, role: 10 }))).toEqual([])
  })

  it('offers nothing without a session', () => {
    expect(offered({ role: 0 }, aRow())).toEqual([])
  })
})
