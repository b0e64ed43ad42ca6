import { ratiosOf, type TokenPrice } from '@tidegate/pricing'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

const HIDDEN = 60_000
/** Per output token, at a ratio of 0.625 and a completion ratio of 8. */
const PER_TOKEN = 5

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
  gateway = await start()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

function start(options: { type?: number; settings?: object } = {}): Promise<TestGateway> {
  const models = ['gpt-5', 'gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro']
  return startGateway({
    channels: [aChannel({ type: options.type ?? 1, baseUrl: upstream.url, models })],
    settings: {
      ModelRatio: Object.fromEntries(models.map((model) => [model, 0.625])),
      CompletionRatio: Object.fromEntries(models.map((model) => [model, 8])),
      ...options.settings,
    },
  })
}

const post = (path: string, body: string) => {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  return gateway.send({ method: 'POST', path, headers, body })
}
const question = { messages: [{ role: 'user', content: 'Why does the tide turn?' }] }
const chat = { model: 'gpt-5', stream: true, ...question }
const sentLimit = () => {
  const body = upstream.requests.at(-1)!.body as { max_tokens?: number; max_completion_tokens?: number }
  return body.max_completion_tokens ?? body.max_tokens
}

describe('a request whose worst case the account does not cover', () => {
  it('is sent with the output limit that the account covers, hidden reasoning included', async () => {
    upstream.always({ text: 'The answer is 42.', hiddenReasoning: HIDDEN })
    gateway.credit.balance = 200_000

    const { status, data, headers } = await gateway.chat(chat)

    const { receipt, usage, log } = gateway.credit.settled[0]!
    const limit = sentLimit()!
    expect([status, data.at(-1)]).toEqual([200, '[DONE]'])
    expect(limit).toBeLessThan(HIDDEN)
    expect(usage.output + usage.reasoning).toBe(limit) // the provider stopped there
    expect(receipt.quota).toBeLessThanOrEqual(200_000)
    expect(gateway.credit.balance).toBe(200_000 - receipt.quota)
    expect(headers['x-tidegate-output-limit']).toBe(String(limit))
    expect(log.other).toMatchObject({ output_limit: limit, output_limit_reason: 'balance' })
  })

  it('leaves half of the account to the next request when the client set no limit, and takes all otherwise', async () => {
    upstream.always({ text: 'The answer is 42.' })
    gateway.credit.balance = 200_000
    await gateway.chat(chat)
    expect(sentLimit()! * PER_TOKEN).toBeLessThan(100_000)

    gateway.credit.balance = 200_000
    await gateway.chat({ ...chat, max_completion_tokens: 100_000 })
    expect(sentLimit()! * PER_TOKEN).toBeGreaterThan(199_000)
  })

  it('is rejected before the provider is called when less than a useful output is covered', async () => {
    gateway.credit.balance = 4_000 * PER_TOKEN // a reasoning model needs 4,096

    const { status, json } = await gateway.chat({ ...chat, stream: false })

    expect([status, json.error.code]).toEqual([402, 'insufficient_quota'])
    expect(upstream.requests).toHaveLength(0)
    expect(gateway.credit.balance).toBe(4_000 * PER_TOKEN)
  })

  it('takes more than half of the account when the prompt has more tokens than estimated', async () => {
    const digits = Array.from({ length: 3000 }, (_, index) => (index * 7919) % 9973).join(' ') // many tokens for their length
    const body = { ...chat, stream: false, messages: [{ role: 'user', content: digits }] }
    upstream.always({ text: 'Yes.' })
    gateway.credit.balance = 30_000

    const { status } = await gateway.chat(body)

    expect(status).toBe(200)
    expect(gateway.credit.entries[0]!.amount).toBeGreaterThan(15_000)
  })

  it('is served with a small limit of the client for any account', async () => {
    gateway.credit.balance = 20 * PER_TOKEN

    const { status } = await gateway.chat({ ...chat, model: 'gpt-4o', max_tokens: 10 })

    expect([status, sentLimit()]).toEqual([200, 10])
    expect(gateway.credit.settled[0]!.log.other).not.toHaveProperty('output_limit')
  })

  it('counts every choice', async () => {
    gateway.credit.balance = 300 * 2.5 // gpt-4o has a completion ratio of 4

    const one = await gateway.chat({ ...chat, model: 'gpt-4o', stream: false, max_tokens: 100 })
    const four = await gateway.chat({ ...chat, model: 'gpt-4o', stream: false, max_tokens: 100, n: 4 })
    expect(upstream.requests).toHaveLength(1)

    expect([one.status, four.status]).toEqual([200, 402])
  })

  it('is cut when a provider ignores the limit', async () => {
    upstream.always({ text: 'the tide comes in '.repeat(3000), ignoresLimit: true, usage: 'missing' })
    gateway.credit.balance = 2_000 * PER_TOKEN

    const { data } = await gateway.chat({ ...chat, model: 'gpt-4o' })

    expect(JSON.parse(data.at(-1)!).error.code).toBe('insufficient_quota')
    expect(gateway.credit.balance).toBe(0)
  })
})

describe('the output limit for the provider', () => {
  const cases = [
    {
      protocol: 'OpenAI Responses',
      path: '/v1/responses',
      body: { model: 'gpt-5', input: 'Why?' },
      type: 1,
      limitOf: (body: Body) => body.max_output_tokens,
    },
    {
      protocol: 'Anthropic Messages',
      path: '/v1/messages',
      body: { model: 'claude-sonnet-4-5', max_tokens: 64_000, ...question },
      type: 14,
      limitOf: (body: Body) => body.max_tokens,
    },
    {
      protocol: 'Gemini',
      path: '/v1beta/models/gemini-2.5-pro:generateContent',
      body: { contents: [{ role: 'user', parts: [{ text: 'Why?' }] }] },
      type: 24,
      limitOf: (body: Body) => body.generationConfig?.maxOutputTokens,
    },
    {
      protocol: 'Gemini Interactions',
      path: '/v1beta/interactions',
      body: { model: 'gemini-2.5-pro', input: 'Why?', generation_config: { max_output_tokens: 64_000 } },
      type: 24,
      limitOf: (body: Body) => body.generation_config?.max_output_tokens,
    },
    {
      protocol: 'OpenAI chat, translated from Anthropic Messages',
      path: '/v1/messages',
      body: { model: 'gpt-5', max_tokens: 64_000, ...question },
      type: 1,
      limitOf: (body: Body) => body.max_completion_tokens,
    },
  ]
  interface Body {
    max_output_tokens?: number
    max_tokens?: number
    max_completion_tokens?: number
    generationConfig?: { maxOutputTokens?: number }
    generation_config?: { max_output_tokens?: number }
  }

  it.each(cases)('is sent in $protocol', async ({ path, body, type, limitOf }) => {
    await gateway.close()
    gateway = await start({ type })
    gateway.credit.balance = 60_000

    const { status, headers } = await post(path, JSON.stringify(body))

    const limit = limitOf(upstream.requests.at(-1)!.body as Body)!
    expect(status).toBe(200)
    expect(headers['x-tidegate-output-limit']).toBe(String(limit))
    const { modelRatio, completionRatio = 0 } = ratiosOf(
      gateway.credit.settled[0]!.receipt.price as TokenPrice,
      new Date(),
    )
    expect(limit * modelRatio * completionRatio).toBeGreaterThan(25_000)
    expect(limit * modelRatio * completionRatio).toBeLessThanOrEqual(60_000)
  })

  it("is sent also with pass-through enabled, and overrides the channel's overrides", async () => {
    await gateway.close()
    gateway = await start({ settings: { 'global.pass_through_request_enabled': true } })
    gateway.credit.balance = 60_000

    await gateway.chat(chat)

    expect(sentLimit()! * PER_TOKEN).toBeLessThanOrEqual(30_000)
  })

  it('is sent once when a client sends its own limit twice', async () => {
    const body = `{"max_tokens":100000,"model":"gpt-4o","messages":${JSON.stringify(question.messages)},"max_tokens":5}`

    await post('/v1/chat/completions', body)

    expect(
      upstream.requests
        .at(-1)!
        .rawBody.toString()
        .match(/max_tokens/g),
    ).toHaveLength(1)
    expect(sentLimit()).toBe(5)
  })

  it('is sent as the operator sets it for the site', async () => {
    await gateway.close()
    gateway = await start({ settings: { 'billing.max_output_tokens': 1_000 } })

    const limited = await gateway.chat(chat)
    expect(sentLimit()).toBe(1_000)
    expect(limited.headers['x-tidegate-output-limit']).toBe('1000')
    expect(gateway.credit.settled[0]!.log.other).toMatchObject({ output_limit: 1_000, output_limit_reason: 'site' })

    await gateway.chat({ ...chat, max_completion_tokens: 20 })
    expect(sentLimit()).toBe(20)
  })
})
