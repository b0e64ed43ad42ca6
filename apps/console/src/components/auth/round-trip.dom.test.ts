import { afterEach, expect, it, vi } from 'vitest'
import { beginRoundTrip, currentRoundTrip, endRoundTrip } from './round-trip.ts'

afterEach(() => sessionStorage.clear())

it('is remembered by this tab until it ends', () => {
  expect(currentRoundTrip()).toBeNull()

  beginRoundTrip({ intent: 'bind', returnTo: '/app/me?tab=security' })
  expect(currentRoundTrip()).toEqual({ intent: 'bind', returnTo: '/app/me?tab=security' })

  endRoundTrip()
  expect(currentRoundTrip()).toBeNull()
})

it('does not lead away from the console, whatever was written down', () => {
  beginRoundTrip({ intent: 'login', returnTo: '//evil.test' })

  expect(currentRoundTrip()).toEqual({ intent: 'login', returnTo: '/app/tokens' })
})

it.each(['', '{', '7', '"x"', '{"intent":"other"}'])('counts as none when %j is written down', (text) => {
  sessionStorage.setItem('sign-in-round-trip', text)

  expect(currentRoundTrip()).toBeNull()
})

it('does without storage when the browser forbids it', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied')
  })

  expect(() => beginRoundTrip({ intent: 'login', returnTo: '/' })).not.toThrow()
})
