import { describe, expect, it } from 'vitest'
import { callerName } from './chat-body.ts'

describe('the name of a caller', () => {
  it('is one for a key, wherever it stands and whichever channel is wanted with it', () => {
    const names = [
      callerName({ headers: { authorization: 'Bearer sk-secret' } }),
      callerName({ headers: { authorization: 'bearer sk-secret-12' } }),
      callerName({ headers: { 'x-api-key': 'sk-secret' } }),
      callerName({ headers: { 'x-goog-api-key': 'secret' } }),
      callerName({ headers: {}, url: '/v1beta/models/m:generateContent?key=sk-secret' }),
    ]

    expect(new Set(names).size).toBe(1)
    expect(names[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(callerName({ headers: { authorization: 'Bearer sk-other' } })).not.toBe(names[0])
  })

  it('is that of the gateway where there is no key', () => {
    expect(callerName({ headers: { cookie: 'session=1' }, url: '/pg/chat/completions' })).toBe('tidegate')
  })
})
