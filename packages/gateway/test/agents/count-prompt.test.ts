import { fakeUpstream, type FakeUpstream, PROVIDER_COUNT } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryResponses } from '../support/responses.ts'

const [OPENAI, CLAUDE, GEMINI] = [1, 14, 24]

let upstream: FakeUpstream
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterAll(() => upstream.close())
afterEach(async () => {
  upstream.reset()
  await gateway.close()
})

const start = async (type: number, options: Partial<Parameters<typeof startGateway>[0]> = {}) => {
  const models = ['claude-opus-5', 'gemini-2.5-pro']
  gateway = await startGateway({
    channels: [
      aChannel({ type, baseUrl: upstream.url, models, modelMapping: new Map([['claude-opus-5', 'claude-sonnet-5']]) }),
    ],
    ...options,
  })
}
const post = (path: string, body: object, headers = {}) =>
  gateway.send({
    method: 'POST',
    path,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('count_tokens of Anthropic', () => {
  const prompt = {
    model: 'claude-opus-5',
    system: 'Be kind.',
    messages: [{ role: 'user', content: 'hello world' }],
    tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
  }
  const count = async (body: object = prompt) => {
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-beta' }
    const { status, json } = await post('/v1/messages/count_tokens', body, headers)
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['input_tokens'])
    return json.input_tokens as number
  }
  const expectLocal = (tokens: number) => {
    expect(tokens).toBeGreaterThan(8)
    expect(tokens).toBeLessThan(40)
  }

  it('asks an Anthropic channel, free of charge, for the model at the provider', async () => {
    await start(CLAUDE)

    expect(await count()).toBe(PROVIDER_COUNT)

    expect(gateway.credit.entries).toEqual([])
    expect(upstream.requests).toMatchObject([
      {
        path: '/v1/messages/count_tokens',
        body: { ...prompt, model: 'claude-sonnet-5' },
        headers: {
          'x-api-key': 'provider-key',
          'anthropic-version': '2026-10-21',
          'anthropic-beta': 'a-beta',
        },
      },
    ])
  })

  it.each([
    ['an error', { status: 500 }],
    ['a missing endpoint', { status: 404 }],
    ['a rejected key', { status: 401 }],
    ['a response without a count', { body: { ok: true } }],
  ])('counts itself when the provider returns %s, and goes on to use the channel', async (_name, script) => {
    upstream.always(script)
    await start(CLAUDE)

    expectLocal(await count())
    expectLocal(await count())

    expect(upstream.requests).toHaveLength(2)
  })

  it('counts itself for other channels, and for models without a channel', async () => {
    await start(OPENAI)

    expectLocal(await count())
    expectLocal(await count({ ...prompt, model: 'nope-model' }))

    expect(upstream.requests).toEqual([])
  })

  it('does not ask the provider for a caller who may not use the model or has no balance', async () => {
    await start(CLAUDE, { caller: { modelLimitsEnabled: true, modelLimits: ['gpt-4o'] } })
    expectLocal(await count())
    gateway.setCaller({ userQuota: 0 })
    gateway.credit.balance = 0
    expectLocal(await count())

    expect(upstream.requests).toEqual([])
  })

  it('leaves the rotation of keys to chats', async () => {
    await start(CLAUDE, {
      channels: [aChannel({ type: CLAUDE, baseUrl: upstream.url, models: ['claude-opus-5'], keys: ['a', 'b'] })],
    })

    for (let turn = 0; turn < 3; turn += 1) {
      await count()
      await post('/v1/messages', { ...prompt, max_tokens: 5 })
    }

    const chats = upstream.requests.filter(({ path }) => path === '/v1/messages')
    expect(chats.map(({ headers }) => headers['x-api-key'])).toEqual(['a', 'b', 'a'])
  })

  it('needs a token', async () => {
    await start(CLAUDE)

    const { status, json } = await post('/v1/messages/count_tokens', prompt, { 'x-api-key': 'sk-unknown' })

    expect([status, json.error.type]).toEqual([401, 'authentication_error'])
  })
})

describe('input_tokens of the Responses API', () => {
  const prompt = { model: 'gpt-6.1-sol', instructions: 'Be kind.', input: 'hello world' }
  const startOpenai = (responses?: MemoryResponses, setting?: object) =>
    start(OPENAI, {
      channels: [aChannel({ type: OPENAI, baseUrl: upstream.url, models: [prompt.model], ...setting })],
      ...(responses && { responses }),
    })
  const count = async (body: object = prompt) => {
    const { status, json } = await post('/v1/responses/input_tokens', body, { authorization: `Bearer ${KEY}` })
    expect(status).toBe(200)
    expect(json).toMatchObject({ object: 'response.input_tokens' })
    return json.input_tokens as number
  }

  it('asks OpenAI, free of charge', async () => {
    await startOpenai()

    expect(await count()).toBe(PROVIDER_COUNT)

    expect(gateway.credit.entries).toEqual([])
    expect(upstream.requests).toMatchObject([{ path: '/v1/responses/input_tokens', body: prompt }])
  })

  it('counts itself for channels of other protocols', async () => {
    await startOpenai(undefined, { setting: { openai_api: 'chat' } })

    const tokens = await count()

    expect(tokens).toBeGreaterThan(3)
    expect(tokens).toBeLessThan(20)
    expect(upstream.requests).toEqual([])
  })

  it('includes the stored turns that the prompt continues', async () => {
    await startOpenai(new MemoryResponses(), { setting: { openai_api: 'chat' } })
    const first = await post('/v1/responses', prompt, { authorization: `Bearer ${KEY}` })

    const { id } = first.json as { id: string }

    expect(await count({ ...prompt, previous_response_id: id })).toBeGreaterThan((await count()) + 3)
  })
})

describe('countTokens of Gemini', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hello world' }] }]
  const count = async (body: object) => {
    const { status, json } = await post('/v1beta/models/gemini-2.5-pro:countTokens', body, { 'x-goog-api-key': KEY })
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['totalTokens'])
    return json.totalTokens as number
  }
  const whole = {
    generateContentRequest: {
      model: 'models/gemini-2.5-pro',
      contents,
      systemInstruction: { parts: [{ text: 'Hi' }] },
    },
  }

  it.each([
    ['the contents', { contents }],
    ['a whole request', whole],
  ])('asks a Gemini channel for %s', async (_name, body) => {
    await start(GEMINI)

    expect(await count(body)).toBe(PROVIDER_COUNT)

    expect(gateway.credit.entries).toEqual([])
    expect(upstream.requests).toMatchObject([
      {
        path: '/v1beta/models/gemini-2.5-pro:countTokens',
        body: { generateContentRequest: { model: 'models/gemini-2.5-pro', contents } },
      },
    ])
  })

  it('counts itself for other channels, with the system instruction', async () => {
    await start(OPENAI)

    const [alone, withSystem] = [await count({ contents }), await count(whole)]

    expect(alone).toBeGreaterThan(1)
    expect(withSystem).toBeGreaterThan(alone)
    expect(upstream.requests).toEqual([])
  })

  it('rejects a request without contents', async () => {
    await start(GEMINI)

    const { status, json } = await post('/v1beta/models/gemini-2.5-pro:countTokens', {}, { 'x-goog-api-key': KEY })

    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  })
})
