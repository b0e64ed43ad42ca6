import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'
import { MemoryLimiter } from './support/limiter.ts'

type Options = Partial<Parameters<typeof startGateway>[0]>

const SETTINGS = { ShadowEnabled: true, ModelRatio: { 'gpt-4o': 2 }, CompletionRatio: { 'gpt-4o': 4 } }
const CHAT = { model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }

let upstream: FakeUpstream
let gateway: TestGateway | undefined
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => gateway?.close())
afterAll(() => upstream.close())

async function start({ settings, ...options }: Options = {}): Promise<TestGateway> {
  const channels = [aChannel({ baseUrl: upstream.url })]
  gateway = await startGateway({ channels, settings: { ...SETTINGS, ...settings }, ...options })
  return gateway
}

function copy(
  { send }: TestGateway,
  body: object = CHAT,
  { key = KEY, path = '/v1/chat/completions', ...headers } = {},
) {
  return send({
    method: 'POST',
    path: `/shadow${path}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const accountsWith = (user: number, token: number) => ({
  amountsOf: () => Promise.resolve({ user: { remain: user, used: 0 }, token: { remain: token, used: 0 } }),
})

describe('a copy of a request', () => {
  it('is evaluated like the request, without calling a provider or charging', async () => {
    const site = await start({ accounts: accountsWith(1000, 1000) })
    const before = upstream.requests.length

    const { status, json } = await copy(site)

    const [row] = site.shadows
    const { promptTokens } = row!
    expect(status).toBe(202)
    expect(json).toEqual({
      shadow: true,
      channel_id: 1,
      upstream_model: 'gpt-4o',
      prompt_tokens: promptTokens,
      reserve: (Math.ceil(promptTokens * 1.25) + 4 * 100) * 2,
    })
    expect(row).toMatchObject({
      userId: 7,
      tokenId: 70,
      model: 'gpt-4o',
      path: '/v1/chat/completions',
      group: 'default',
      isStream: false,
      refusal: null,
      pricing: { price: { kind: 'token', quotaPerRate: 2_000_000, cards: [{ rates: { output: 4 } }] } },
    })
    expect(upstream.requests).toHaveLength(before)
    expect(site.credit.entries).toEqual([])
    expect(site.events).toEqual([])
  })

  it('uses the mapping of its channel', async () => {
    const channels = [aChannel({ id: 9, modelMapping: new Map([['gpt-4o', 'sonar']]) })]
    const site = await start({ channels, settings: { ModelRatio: { 'gpt-4o': 2, sonar: 1 } } })

    expect((await copy(site)).json).toMatchObject({ channel_id: 9, upstream_model: 'sonar' })
  })

  it('keeps the usage of models that are not priced by tokens', async () => {
    const channels = [aChannel({ models: ['dall-e-3'] })]
    const site = await start({ channels, settings: { ModelPrice: { 'dall-e-3': 0.04 } } })

    await copy(site, { model: 'dall-e-3', prompt: 'a lighthouse', n: 2 }, { path: '/v1/images/generations' })

    expect(site.shadows[0]).toMatchObject({ pricing: { price: { kind: 'call' }, usage: { pieces: 2 } } })
  })

  describe('for a virtual model with two targets', () => {
    const equals = ['gpt-4o', 'sonar'].map((model) => ({ model, priorities: 0 }))
    const options = () => ({
      channels: [aChannel({ baseUrl: upstream.url, models: ['gpt-4o', 'sonar'] })],
      settings: { ModelRatio: { 'gpt-4o': 2, sonar: 1 }, global_model_mapping: { mapping: { reef: equals } } },
    })
    const reef = { ...CHAT, model: 'reef' }
    const modelsOf = async (site: TestGateway, headers: object[]) => {
      const models = []
      for (const header of headers) models.push((await copy(site, reef, header)).json.upstream_model)
      return models
    }

    it('has its own rotation, separate from real requests', async () => {
      const site = await start(options())

      expect(await modelsOf(site, [{}, {}, {}])).toEqual(['gpt-4o', 'sonar', 'gpt-4o'])

      await site.chat(reef)
      expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'gpt-4o' })
    })

    it('keeps session affinity', async () => {
      const talk = { 'x-session-id': 'a long talk' }
      const site = await start(options())

      // The hash of this session selects `sonar`.
      expect(await modelsOf(site, [talk, {}, talk, talk])).toEqual(['sonar', 'gpt-4o', 'sonar', 'sonar'])
    })
  })
})

describe('recording a rejection', () => {
  const rejectionOf = async (site: TestGateway, body: object = CHAT) => {
    const { status, json } = await copy(site, body)
    const row = site.shadows.at(-1)!
    expect({ status, refusal: json.refusal, channel: row.channelId, pricing: row.pricing }).toEqual({
      status: 202,
      refusal: row.refusal,
      channel: null,
      pricing: null,
    })
    return row
  }

  it('records a model that the token may not use', async () => {
    const site = await start({ caller: { modelLimitsEnabled: true, modelLimits: ['other'] } })

    expect(await rejectionOf(site)).toMatchObject({ refusal: 'model_not_allowed', model: 'gpt-4o' })
  })

  it('records a model that no channel has', async () => {
    const site = await start()

    expect(await rejectionOf(site, { ...CHAT, model: 'unknown-model' })).toMatchObject({ refusal: 'model_not_found' })
  })

  it.each([
    ['the user', 10, 1000, 'insufficient_user_quota'],
    ['the token', 1000, 10, 'pre_consume_token_quota_failed'],
  ])('records a request that %s does not cover', async (_, user, token, refusal) => {
    const caller = { unlimitedQuota: false, remainQuota: 10 }
    const site = await start({ accounts: accountsWith(user, token), caller })

    const row = await rejectionOf(site)

    expect(row.refusal).toBe(refusal)
    expect(row.reserve).toBeGreaterThan(200)
  })

  it('records an address that the token does not allow', async () => {
    const site = await start({ caller: { allowIps: '10.0.0.1' } })

    expect(await rejectionOf(site)).toMatchObject({ refusal: 'ip_not_allowed', model: 'gpt-4o' })
  })

  it('records a body that cannot be parsed', async () => {
    const site = await start()

    expect(await rejectionOf(site, { model: 'gpt-4o' })).toMatchObject({ promptTokens: 0, reserve: 0 })
  })

  it('records a request over the limit of the token, counted separately from real requests', async () => {
    const limiter = new MemoryLimiter()
    const caller = { rateLimit: { windowSeconds: 60, requests: 0, successes: 1 }, maxConcurrency: 1 }
    const site = await start({ limiter, caller })

    const first = await copy(site)
    const second = await copy(site)

    expect(first.json.refusal).toBeUndefined()
    expect(second.json.refusal).toBe('token_rate_limited')
    expect(limiter.held).toBe(0)
    expect((await site.chat(CHAT)).status).toBe(200)
    expect((await site.chat(CHAT)).status).toBe(429)
  })
})

describe('the shadow endpoint', () => {
  it('does not exist while shadow mode is off', async () => {
    const site = await start({ settings: { ShadowEnabled: false } })

    expect((await copy(site)).status).toBe(404)
    expect(site.shadows).toEqual([])
  })

  it('needs a valid API token', async () => {
    const site = await start()

    expect((await copy(site, CHAT, { key: 'sk-unknown' })).status).toBe(401)
    expect(site.shadows).toEqual([])
  })

  it('samples the configured share', async () => {
    // The random number is 0.5 here.
    const half = await start({ settings: { ShadowShare: 50 } })
    expect((await copy(half)).status).toBe(204)
    expect(half.shadows).toEqual([])
    await half.close()

    const more = await start({ settings: { ShadowShare: 51 } })
    expect((await copy(more)).status).toBe(202)
  })

  it.each(['/v1/models', '/v1/realtime', '/v1/messages/count_tokens', '/pg/chat/completions', '/shadow/v1/responses'])(
    'does not support %s',
    async (path) => {
      const site = await start()

      expect((await copy(site, CHAT, { path })).status).toBe(501)
      expect(site.shadows).toEqual([])
    },
  )
})
