import { addChannel, addToken, fakeUpstream, type FakeUpstream, PROVIDER_COUNT } from '@tidegate/testing'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const ALL = ['claude-sonnet-4-20250514', 'gemini-2.0-flash', 'gpt-4o', 'gpt-4o-mini', 'house-model', 'team/gpt-4o']

const site = sharedSite()
let upstream: FakeUpstream
let key: string
let limitedKey: string
beforeAll(async () => {
  upstream = await fakeUpstream()
  const client = site.admin
  await addChannel(client, upstream, { models: 'gpt-4o,gpt-4o-mini' })
  await addChannel(client, upstream, { models: 'gpt-4o', model_prefix: 'team/' })
  await addChannel(client, upstream, { type: 14, models: 'claude-sonnet-4-20250514' })
  await addChannel(client, upstream, { type: 24, models: 'gemini-2.0-flash' })
  await addChannel(client, upstream, { models: 'not-for-us', group: 'vip' })
  const mapping = {
    'house-model': [{ model: 'gpt-4o-mini', priorities: 1 }],
    nowhere: [{ model: 'gone', priorities: 1 }],
  }
  await site.setOption('global_model_mapping', { mapping })
  key = (await addToken(client)).secret
  const limits = { model_limits_enabled: true, model_limits: 'gpt-4o-mini,house-model' }
  limitedKey = (await addToken(client, limits)).secret
})
afterAll(() => upstream?.close())

describe('the list of models', () => {
  it.each([
    { owner: 'of a key', secret: () => key, models: ALL },
    { owner: 'of a key with limits', secret: () => limitedKey, models: ['gpt-4o-mini', 'house-model'] },
  ])('$owner is the same for every official client', async ({ secret, models }) => {
    const apiKey = secret()
    const openai = new OpenAI({ apiKey, baseURL: `${site.url}/v1` })
    const anthropic = new Anthropic({ apiKey, baseURL: site.url })
    const bearer = new Anthropic({ apiKey: null, authToken: apiKey, baseURL: site.url })
    const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: site.url } })

    expect(await namesIn(await openai.models.list(), ({ id }) => id)).toEqual(models)
    expect(await namesIn(await anthropic.models.list(), ({ id }) => id)).toEqual(models)
    expect(await namesIn(await bearer.models.list({ limit: 1000 }), ({ display_name }) => display_name)).toEqual(models)
    expect(await namesIn(await google.models.list(), ({ name = '' }) => name.replace('models/', ''))).toEqual(models)
  })

  it("has OpenAI's format with the console's extensions", async () => {
    expect(await (await get('/v1/models', bearer(key))).json()).toMatchObject({
      success: true,
      object: 'list',
      data: expect.arrayContaining([
        expect.objectContaining({ id: 'gpt-4o', object: 'model', owned_by: 'openai', root: 'gpt-4o', parent: null }),
        expect.objectContaining({ id: 'team/gpt-4o', root: 'gpt-4o' }),
        expect.objectContaining({ id: 'house-model', owned_by: 'virtual' }),
      ]),
    })
  })

  it('has the limits of a model for the clients that read them', async () => {
    const anthropic = new Anthropic({ apiKey: null, authToken: key, baseURL: site.url })
    const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: site.url } })

    expect(await anthropic.models.retrieve('gpt-4o')).toMatchObject({ max_input_tokens: 128_000, max_tokens: 16_384 })
    expect(await google.models.get({ model: 'gpt-4o' })).toMatchObject({ inputTokenLimit: 128_000 })
  })

  it('is a 404 for an unknown model in every official client, which they do not retry', async () => {
    let requests = 0
    const counting: typeof fetch = (input, init) => {
      requests += 1
      return fetch(input, init)
    }
    const openai = new OpenAI({ apiKey: key, baseURL: `${site.url}/v1`, fetch: counting })
    const anthropic = new Anthropic({ apiKey: null, authToken: key, baseURL: site.url, fetch: counting })

    const failures = await Promise.all([
      openai.models
        .retrieve('not-for-us')
        .catch(({ status, code }: { status: number; code: string }) => [status, code]),
      anthropic.models
        .retrieve('not-for-us')
        .catch(({ status, error }: { status: number; error: { error: { type: string } } }) => [
          status,
          error.error.type,
        ]),
    ])

    expect(failures).toEqual([
      [404, 'model_not_found'],
      [404, 'not_found_error'],
    ])
    expect(requests).toBe(2)
  })

  it("has Google's format under its version, with the key in the URL", async () => {
    const response = await get(`/v1beta/models?key=${key}`)

    expect(await response.json()).toMatchObject({
      models: expect.arrayContaining([
        expect.objectContaining({
          name: 'models/gemini-2.0-flash',
          supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
        }),
      ]),
    })
  })

  it('returns one listed model, and rejects others', async () => {
    expect(await (await get('/v1/models/gpt-4o', bearer(key))).json()).toMatchObject({ id: 'gpt-4o', object: 'model' })
    expect(await (await get('/v1beta/models/gpt-4o', bearer(key))).json()).toMatchObject({ name: 'models/gpt-4o' })
    for (const path of ['/v1/models/not-for-us', '/v1beta/models/not-for-us']) {
      expect((await get(path, bearer(key))).status).toBe(404)
    }
    expect((await get('/v1/models/gpt-4o', bearer(limitedKey))).status).toBe(404)
    expect((await get('/v1/models', bearer('sk-unknown'))).status).toBe(401)
  })
})

it('counts the tokens of a prompt for official clients, by their provider where that counts', async () => {
  const anthropic = new Anthropic({ apiKey: null, authToken: key, baseURL: site.url })
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: site.url } })
  const messages = [{ role: 'user' as const, content: 'hello world' }]
  const count = async (model: string) => {
    const { input_tokens } = await anthropic.messages.countTokens({ model, messages })
    const { totalTokens } = await google.models.countTokens({ model, contents: 'hello world' })
    return [input_tokens, totalTokens!] as const
  }

  const [claude, converted] = await count('claude-sonnet-4-20250514')
  const [foreign, gemini] = await count('gemini-2.0-flash')

  expect([claude, gemini]).toEqual([PROVIDER_COUNT, PROVIDER_COUNT])
  for (const local of [converted, foreign]) expect(local).toBeLessThan(50)
})

describe('a path', () => {
  const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] })
  const messages = JSON.stringify({ ...(JSON.parse(body) as object), model: 'claude-sonnet-4-20250514', max_tokens: 9 })
  const gemini = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })

  it.each([
    ['/v1/chat/completions', body],
    ['/v1/chat/completions/', body],
    ['/v1/v1/chat/completions', body],
    ['/v1/v1/chat/completions/', body],
    ['/hf/v1/chat/completions', body],
    ['/hf/v1/v1/chat/completions/', body],
    ['/v1/v1/messages', messages],
    ['/hf/v1/messages/', messages],
    ['/v1/v1beta/models/gemini-2.0-flash:generateContent', gemini],
    ['/v1beta/v1beta/models/gemini-2.0-flash:generateContent/', gemini],
  ])('POST %s is accepted', async (path, text) => {
    const response = await fetch(site.url + path, { method: 'POST', headers: bearer(key), body: text })

    expect(response.status).toBe(200)
    expect(await response.text()).toContain('You said: hi')
  })

  it.each(['/v1/models/', '/v1/v1/models', '/hf/v1/models', '/v1beta/models/'])('GET %s is accepted', async (path) => {
    expect((await get(path, bearer(key))).status).toBe(200)
  })

  it('is not part of the data plane if it belongs to a console endpoint', async () => {
    expect((await get('/api/v1/models', bearer(key))).status).toBe(404)
  })
})

describe('a page of another origin', () => {
  it.each(['/v1/chat/completions', '/v1/messages', '/v1beta/models/gemini-2.0-flash:generateContent', '/hf/v1/models'])(
    'may send a preflight to %s and call it without cookies',
    async (path) => {
      const response = await fetch(site.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://chat.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-stainless-os',
        },
      })

      expect(response.status).toBe(204)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringMatching(/GET.*POST.*PUT.*DELETE.*OPTIONS/),
        'access-control-allow-headers': 'authorization,content-type,x-stainless-os',
      })
      expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    },
  )

  it('can read responses and errors', async () => {
    const headers = { origin: 'https://chat.example' }
    for (const response of [
      await get('/v1/models', { ...headers, ...bearer(key) }),
      await get('/v1/models', headers),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-expose-headers')).toBe('*')
    }
  })
})

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(site.url + path, { headers })
}

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` }
}

async function namesIn<Item>(pages: AsyncIterable<Item>, nameOf: (item: Item) => string): Promise<string[]> {
  const names: string[] = []
  for await (const item of pages) names.push(nameOf(item))
  return names.toSorted()
}
