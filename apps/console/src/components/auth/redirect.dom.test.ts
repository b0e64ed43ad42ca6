import { afterEach, expect, it, vi } from 'vitest'
import { savePendingRedirect, readPendingRedirect, clearPendingRedirect } from './redirect.ts'

afterEach(() => sessionStorage.clear())

it('stores the redirect until it is cleared', () => {
  expect(readPendingRedirect()).toBeNull()

  savePendingRedirect({ intent: 'bind', returnTo: '/app/me?tab=security' })
  expect(readPendingRedirect()).toEqual({ intent: 'bind', returnTo: '/app/me?tab=security' })

  clearPendingRedirect()
  expect(readPendingRedirect()).toBeNull()
})

it('replaces a stored address of another site', () => {
  savePendingRedirect({ intent: 'login', returnTo: '//evil.test' })

  expect(readPendingRedirect()).toEqual({ intent: 'login', returnTo: '/app/tokens' })
})

it.each(['', '{', '7', '"x"', '{"intent":"other"}'])('ignores the stored value %j', (text) => {
  sessionStorage.setItem('sign-in-round-trip', text)

  expect(readPendingRedirect()).toBeNull()
})

it('works without storage', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied')
  })

  expect(() => savePendingRedirect({ intent: 'login', returnTo: '/' })).not.toThrow()
})
