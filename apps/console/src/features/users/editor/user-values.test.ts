import { describe, expect, it } from 'vitest'
import { aUser } from '../../../testing/samples.ts'
import { editOf, valuesOf } from './user-values.ts'

const user = aUser({ id: 5, quota: 1000 })

describe('an edit', () => {
  it('leaves out a balance that nobody touched, so that what is spent meanwhile stays spent', () => {
    expect(editOf(user, { ...valuesOf(user), username: ' mira ' })).toEqual({
      id: 5,
      username: 'mira',
      display_name: 'Mira',
      password: '',
      group: 'default',
    })
  })

  it('sends a balance with the one it is measured against', () => {
    expect(editOf(user, { ...valuesOf(user), quota: 400 })).toMatchObject({ quota: 400, quota_seen: 1000 })
  })

  it('sends the current password only beside a new one', () => {
    const values = { ...valuesOf(user), original_password: 'old-password' }

    expect(editOf(user, values)).not.toHaveProperty('original_password')
    expect(editOf(user, { ...values, password: 'new-password' })).toMatchObject({ original_password: 'old-password' })
  })
})
