import Anthropic from '@anthropic-ai/sdk'
import { addChannel, fakeUpstream, type FakeUpstream, serviceAccountKey } from '@tidegate/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SiteUser, sharedSite } from './shared-site.ts'

const PROMPT = 'When does the tide turn?'
const RESPONSE = 'The tide turns at noon.'
const AZURE = { type: 3, models: 'azure-deployment' }
const BEDROCK = { type: 33, models: 'bedrock-claude', key: 'AKIDEXAMPLE|a-secret|us-east-1' }
const VERTEX_CLAUDE = { type: 41, models: 'claude-at-vertex', other: 'us-east5' }
const VERTEX_GEMINI = { type: 41, models: 'gemini-at-vertex', other: 'us-east5' }
const MODELS = [AZURE, BEDROCK, VERTEX_CLAUDE, VERTEX_GEMINI].map(({ models }) => models)

const site = sharedSite()
let upstream: FakeUpstream
let user: SiteUser
let anthropic: Anthropic
beforeAll(async () => {
  upstream = await fakeUpstream()
  user = await site.addUser()
  anthropic = new Anthropic({ baseURL: site.url, apiKey: user.key, maxRetries: 0 })
  await addChannel(site.admin, upstream, AZURE)
  await addChannel(site.admin, upstream, BEDROCK)
  const key = serviceAccountKey(upstream)
  for (const channel of [VERTEX_CLAUDE, VERTEX_GEMINI]) await addChannel(site.admin, upstream, { ...channel, key })
})
afterAll(() => upstream.close())
beforeEach(() => {
  upstream.reset()
  upstream.always({ text: RESPONSE })
})

describe.each(MODELS)('The channel of %s', (model) => {
  it.each([false, true])('serves a client of OpenAI, streamed: %s', async (stream) => {
    const openai = new OpenAI({ baseURL: `${site.url}/v1`, apiKey: user.key, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: PROMPT }]

    const text = stream
      ? await openai.chat.completions.stream({ model, messages }).finalContent()
      : (await openai.chat.completions.create({ model, messages })).choices[0]?.message.content

    expect(text).toBe(RESPONSE)
    expect(upstream.requests.at(-1)?.sent.rejection).toBeUndefined()
  })

  it.each([false, true])('serves a client of Anthropic, streamed: %s', async (stream) => {
    const request = { model, max_tokens: 64, messages: [{ role: 'user' as const, content: PROMPT }] }

    const { content } = stream
      ? await anthropic.messages.stream(request).finalMessage()
      : await anthropic.messages.create(request)

    expect(content).toMatchObject([{ type: 'text', text: RESPONSE }])
  })
})

/** As Claude Code sends them: some of them exist only at Anthropic. */
const BETAS = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'prompt-caching-scope-2026-01-05',
  'advanced-tool-use-2025-11-20',
]
const agentRequest = {
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: PROMPT }],
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' as const }] },
  tools: [{ name: 'later', input_schema: { type: 'object' as const }, defer_loading: true }],
}

describe('Beta features of Claude', () => {
  it('reach Amazon in the body, without those that it rejects', async () => {
    await anthropic.beta.messages.create({ ...agentRequest, model: BEDROCK.models, betas: BETAS })

    const [request] = upstream.requests
    expect(request?.sent.rejection).toBeUndefined()
    expect(JSON.parse(String(request?.rawBody))).toMatchObject({
      anthropic_beta: ['context-management-2025-06-27', 'tool-search-tool-2025-10-19'],
      context_management: agentRequest.context_management,
      tools: agentRequest.tools,
    })
  })

  it('reach Google in the header, without those that it rejects', async () => {
    await anthropic.beta.messages.create({ ...agentRequest, model: VERTEX_CLAUDE.models, betas: BETAS })

    const request = upstream.requests.find(({ path }) => path === '/v1/messages')
    expect(request?.sent.rejection).toBeUndefined()
    expect(request?.headers['anthropic-beta']).toBe(
      'interleaved-thinking-2025-05-14,context-management-2025-06-27,tool-search-tool-2025-10-19',
    )
  })

  it.each([BEDROCK.models, VERTEX_CLAUDE.models])(
    'leave no member behind that %s rejects, and name it',
    async (model) => {
      const request = { ...agentRequest, tools: [], model, betas: ['claude-code-20250219'] }

      const { response } = await anthropic.beta.messages.create(request).withResponse()

      expect(response.headers.get('x-tidegate-dropped')).toBe('context_management')
    },
  )
})

it('passes instructions between the turns to a Claude model that takes them', async () => {
  const messages = [
    { role: 'user' as const, content: PROMPT },
    { role: 'system' as const, content: 'Answer in one sentence.' },
  ]

  await anthropic.messages.create({ model: BEDROCK.models, max_tokens: 64, messages })

  expect(upstream.requests.at(-1)?.body).toMatchObject({ messages })
})
