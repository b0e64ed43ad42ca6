import type { User } from '@tidegate/contract/api'
import { beforeEach, expect, it, vi } from 'vitest'
import { expireSession, forgetUser, leaveBy, rememberUser, useSession, whenSessionExpires } from './session.ts'

const user = { id: 7, username: 'ada', role: 1 } as User
const listener = vi.fn<() => void>()
beforeEach(() => {
  listener.mockReset()
  whenSessionExpires(listener)
  rememberUser(user)
})

it('clears the user and calls the listener when the session expires', () => {
  expireSession()

  expect(useSession.getState()).toMatchObject({ user: null, ended: 'expired' })
  expect(listener).toHaveBeenCalledOnce()
})

it('ignores an expired session during and after a logout', async () => {
  await leaveBy(async () => {
    expireSession()
    expect(useSession.getState().user).toEqual(user)
    forgetUser('logged-out')
  })
  expireSession()

  expect(useSession.getState().ended).toBe('logged-out')
  expect(listener).not.toHaveBeenCalled()
})

it('handles an expired session after the next login and after a failed logout', async () => {
  await leaveBy(() => Promise.resolve())
  rememberUser(user)
  expireSession()
  expect(listener).toHaveBeenCalledOnce()

  rememberUser(user)
  await expect(leaveBy(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expireSession()
  expect(listener).toHaveBeenCalledTimes(2)
})
