import { readSettings } from '@tidegate/contract'
import type { DialectId } from '@tidegate/dialects'
import { describe, expect, it } from 'vitest'
import { chooseChatApi, type Provider } from './provider.ts'
import { providerOf } from './registry.ts'

const target = { baseUrl: '', key: 'k', model: 'org/m 1' }
const settings = readSettings(new Map())

interface UrlOptions {
  dialect?: DialectId
  stream?: boolean
}

function urlOf(provider: Provider, { dialect = 'openai-chat', stream = false }: UrlOptions = {}, change = {}) {
  const goal = { ...target, ...change }
  return chooseChatApi(provider, { dialect, target: goal })?.url(goal, { stream, settings })
}

describe('providerOf', () => {
  it('sends OpenAI requests to the standard path, with key and organization', () => {
    const openai = providerOf(1)

    expect(urlOf(openai)).toBe('https://api.openai.com/v1/chat/completions')
    expect(urlOf(openai, {}, { baseUrl: 'https://x.example/' })).toBe('https://x.example/v1/chat/completions')
    expect(urlOf(openai, {}, { baseUrl: 'https://x.example/v1' })).toBe('https://x.example/v1/chat/completions')
    expect(urlOf(openai, {}, { baseUrl: 'https://gateway.ai.cloudflare.com/v1/a/b/openai' })).toBe(
      'https://gateway.ai.cloudflare.com/v1/a/b/openai/chat/completions',
    )
    expect(openai.authorize({ ...target, organization: 'o' })).toEqual({
      authorization: 'Bearer k',
      'openai-organization': 'o',
    })
  })

  it('sends custom requests to the one URL given, with the model filled in', () => {
    expect(urlOf(providerOf(8), {}, { baseUrl: 'https://x.example/{model}/chat?v=1' })).toBe(
      'https://x.example/org%2Fm%201/chat?v=1',
    )
  })

  it('treats an unknown type as OpenAI-compatible', () => {
    expect(providerOf(9999).chatApis?.[0]).toMatchObject({ dialect: 'openai-chat', streamUsage: 'omit' })
    expect(providerOf(9999).authorize({ ...target, organization: 'o' })).toEqual({ authorization: 'Bearer k' })
  })

  it('sends Gemini requests to the version that the operator set for the model', () => {
    const gemini = providerOf(24)

    expect(urlOf(gemini, { dialect: 'gemini-generate' }, { model: 'gemini-2.5-pro' })).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
    )
    expect(urlOf(gemini, { stream: true }, { model: 'gemini-2.5-pro', baseUrl: 'https://x.example/v1beta' })).toBe(
      'https://x.example/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    )
  })
})

describe('chooseConversation', () => {
  const dialectFor = (type: number, dialect: DialectId, change = {}) =>
    chooseChatApi(providerOf(type), { dialect, target: { model: 'gpt-4o', ...change } })?.dialect

  it("prefers the client's dialect, else the provider's first", () => {
    expect(dialectFor(1, 'openai-responses')).toBe('openai-responses')
    expect(dialectFor(1, 'openai-completions')).toBe('openai-completions')
    expect(dialectFor(1, 'anthropic-messages')).toBe('openai-chat')
    expect(dialectFor(14, 'openai-chat')).toBe('anthropic-messages')
    expect(dialectFor(24, 'openai-responses')).toBe('gemini-generate')
  })

  it('uses the Responses API if a channel or a model requires it', () => {
    expect(dialectFor(1, 'openai-chat', { setting: { openai_api: 'responses' } })).toBe('openai-responses')
    expect(dialectFor(1, 'openai-responses', { setting: { openai_api: 'chat' } })).toBe('openai-chat')
    expect(dialectFor(1, 'anthropic-messages', { model: 'o1-pro' })).toBe('openai-responses')
    expect(dialectFor(43, 'openai-responses')).toBe('openai-chat')
    expect(dialectFor(43, 'openai-responses', { setting: { openai_api: 'responses' } })).toBe('openai-responses')
  })
})
