import { describe, expect, it } from 'vitest'
import { aUser } from '../../testing/samples.ts'
import { afterAction } from './after-action.ts'

describe('a row after an action', () => {
  it('has the rank and the status that the server answered', () => {
    expect(afterAction(aUser(), 'promote', { role: 10, status: 2 })).toEqual(aUser({ role: 10, status: 2 }))
  })

  it('is deregistered from now on, and no longer once it is restored', () => {
    const now = new Date('2026-02-28T09:00:00Z')
    const gone = afterAction(aUser(), 'delete', { role: 1, status: 1 }, now)

    expect(gone.DeletedAt).toBe('2026-02-28T09:00:00.000Z')
    expect(afterAction(gone, 'restore', { role: 1, status: 1 }).DeletedAt).toBeNull()
  })
})
