import { describe, expect, it } from 'vitest'
import { providerOf } from './registry.ts'

const target = { baseUrl: '', key: 'k', model: 'org/m 1' }

describe('providerOf', () => {
  it('sends OpenAI calls to the path as requested, with key and organization', () => {
    const openai = providerOf(1)

    expect(openai.chat?.url(target)).toBe('https://api.openai.com/v1/chat/completions')
    expect(openai.chat?.url({ ...target, baseUrl: 'https://x.example/' })).toBe('https://x.example/v1/chat/completions')
    expect(openai.chat?.url({ ...target, baseUrl: 'https://x.example/v1' })).toBe(
      'https://x.example/v1/chat/completions',
    )
    expect(openai.chat?.url({ ...target, baseUrl: 'https://gateway.ai.cloudflare.com/v1/a/b/openai' })).toBe(
      'https://gateway.ai.cloudflare.com/v1/a/b/openai/chat/completions',
    )
    expect(openai.authorize({ ...target, organization: 'o' })).toEqual({
      authorization: 'Bearer k',
      'openai-organization': 'o',
    })
  })

  it('sends custom calls to the one URL given, with the model in its place', () => {
    expect(providerOf(8).chat?.url({ ...target, baseUrl: 'https://x.example/{model}/chat?v=1' })).toBe(
      'https://x.example/org%2Fm%201/chat?v=1',
    )
  })

  it('takes an unknown type for a vendor that speaks the same language', () => {
    expect(providerOf(9999)).toMatchObject({ chat: { dialect: 'openai-chat', streamUsage: 'omit' } })
    expect(providerOf(9999).authorize({ ...target, organization: 'o' })).toEqual({ authorization: 'Bearer k' })
  })
})
