import { defineProvider, type Target } from '../provider.ts'
import { classifyOpenai } from './classify.ts'
import { OPENAI_MODELS } from './models.ts'

const HOME = 'https://api.openai.com'

/** OpenAI itself. */
export const openai = defineProvider({
  id: 'openai',
  baseUrl: HOME,
  models: OPENAI_MODELS,
  authorize: ({ key, organization }) => ({
    authorization: `Bearer ${key}`,
    ...(organization && { 'openai-organization': organization }),
  }),
  chat: {
    dialect: 'openai-chat',
    url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/chat/completions'),
    streamUsage: 'ask',
  },
  classify: classifyOpenai,
})

/** Any vendor of which no more is known than that it speaks the same language at its own address. */
export const openaiCompatible = defineProvider({
  ...openai,
  id: 'openai-compatible',
  baseUrl: '',
  authorize: bearer,
  chat: {
    dialect: 'openai-chat',
    url: ({ baseUrl }) => endpoint(baseUrl, '/v1/chat/completions'),
    streamUsage: 'omit',
  },
})

/** One full URL for every call, with `{model}` in it where the vendor wants the name. */
export const custom = defineProvider({
  ...openaiCompatible,
  id: 'custom',
  models: [],
  chat: {
    ...openaiCompatible.chat!,
    url: ({ baseUrl, model }) => baseUrl.replaceAll('{model}', encodeURIComponent(model)),
  },
})

function bearer({ key }: Target): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function endpoint(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '')
  // Cloudflare's AI gateway has no version in its paths; others are often entered with the version already there.
  const versioned = URL.parse(base)?.hostname === 'gateway.ai.cloudflare.com' || base.endsWith('/v1')
  return base + (versioned ? path.replace(/^\/v1/, '') : path)
}
