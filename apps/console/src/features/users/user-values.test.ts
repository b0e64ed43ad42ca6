import { describe, expect, it } from 'vitest'
import { aUser } from '../../../test/samples.ts'
import { editOf, valuesOf } from './user-values.ts'

const user = aUser({ id: 5, quota: 1000 })

describe('editOf', () => {
  it('returns null if nothing changed', () => {
    expect(editOf(user, valuesOf(user))).toBeNull()
  })

  it('omits a balance that was not changed, so that spending in the meantime counts', () => {
    expect(editOf(user, { ...valuesOf(user), display_name: 'Mira B', username: ' mira ' })).toEqual({
      id: 5,
      username: 'mira',
      display_name: 'Mira B',
      password: '',
      group: 'default',
    })
  })

  it('sends a new balance with the balance that was shown', () => {
    expect(editOf(user, { ...valuesOf(user), quota: 400 })).toMatchObject({ quota: 400, quota_seen: 1000 })
  })

  it('sends the current password only with a new one', () => {
    const values = { ...valuesOf(user), original_password: 'old-password' }

    expect(editOf(user, { ...values, group: 'vip' })).not.toHaveProperty('original_password')
    expect(editOf(user, { ...values, password: 'new-password' })).toMatchObject({ original_password: 'old-password' })
  })
})
