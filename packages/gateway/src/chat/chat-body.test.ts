import { describe, expect, it } from 'vitest'
import { callerName } from './chat-body.ts'

describe('callerName', () => {
  it('is the same for an API token in any header, with or without a pinned channel', () => {
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

  it('is the name of the gateway without an API token', () => {
    expect(callerName({ headers: { cookie: 'session=1' }, url: '/pg/chat/completions' })).toBe('tidegate')
  })
})
