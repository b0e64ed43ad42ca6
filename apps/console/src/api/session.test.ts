import type { User } from '@tidegate/contract/api'
import { beforeEach, expect, it, vi } from 'vitest'
import { expireSession, forgetUser, leaveBy, rememberUser, useSession, whenSessionExpires } from './session.ts'

const somebody = { id: 7, username: 'ada', role: 1 } as User
const listener = vi.fn<() => void>()
beforeEach(() => {
  listener.mockReset()
  whenSessionExpires(listener)
  rememberUser(somebody)
})

it('tells of a session that the server refuses', () => {
  expireSession()

  expect(useSession.getState()).toMatchObject({ user: null, ended: 'expired' })
  expect(listener).toHaveBeenCalledOnce()
})

it('is not surprised by a refusal on the way out, nor after it', async () => {
  await leaveBy(async () => {
    expireSession()
    expect(useSession.getState().user).toEqual(somebody)
    forgetUser('logged-out')
  })
  expireSession()

  expect(useSession.getState().ended).toBe('logged-out')
  expect(listener).not.toHaveBeenCalled()
})

it('is surprised again after the next login, and when leaving failed', async () => {
  await leaveBy(() => Promise.resolve())
  rememberUser(somebody)
  expireSession()
  expect(listener).toHaveBeenCalledOnce()

  rememberUser(somebody)
  await expect(leaveBy(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expireSession()
  expect(listener).toHaveBeenCalledTimes(2)
})
