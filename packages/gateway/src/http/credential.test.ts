import { describe, expect, it } from 'vitest'
import { readCredential } from './credential.ts'

describe('readCredential', () => {
  it.each([
    [{ authorization: 'Bearer sk-abc' }, 'openai-chat', { key: 'abc' }],
    [{ authorization: 'abc' }, 'openai-chat', { key: 'abc' }],
    [{ authorization: 'bearer sk-abc-12' }, 'openai-chat', { key: 'abc', pin: '12' }],
    [{ 'x-api-key': 'sk-abc' }, 'anthropic-messages', { key: 'abc' }],
    [{ 'x-api-key': 'sk-abc' }, 'openai-chat', { key: '' }],
    [{ 'x-goog-api-key': 'sk-abc-3' }, 'gemini-generate', { key: 'abc', pin: '3' }],
    [{ authorization: 'Bearer sk-a', 'x-api-key': 'sk-b' }, 'anthropic-messages', { key: 'a' }],
    [{ authorization: 'Bearer sk-tg_a0_abc' }, 'openai-chat', { key: 'tg_a0_abc' }],
    [{ authorization: 'Bearer sk-tg_a0_abc-12' }, 'openai-chat', { key: 'tg_a0_abc', pin: '12' }],
    [{ authorization: 'Bearer sk-my_own_key-12' }, 'openai-chat', { key: 'my_own_key', pin: '12' }],
    [{}, 'gemini-generate', { key: '' }],
  ] as const)('finds the key in %o for %s', (headers, protocol, credential) => {
    expect(readCredential({ headers, url: '/v1' }, protocol)).toEqual(credential)
  })

  it("reads a key from the query where Google's clients put it, and nowhere else", () => {
    const url = '/v1beta/models/m:generateContent?alt=sse&key=sk-abc'

    expect(readCredential({ headers: {}, url }, 'gemini-generate')).toEqual({ key: 'abc' })
    expect(readCredential({ headers: {}, url }, 'openai-chat')).toEqual({ key: '' })
  })
})
