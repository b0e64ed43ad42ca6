import { request } from 'node:http'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallerRecord } from '../ports/index.ts'
import { aChannel } from '../../test/support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../../test/support/gateway.ts'
import { MemoryLimiter } from '../../test/support/limiter.ts'

let upstream: FakeUpstream
let gateway: TestGateway
let limiter: MemoryLimiter
const start = async (caller: Partial<CallerRecord>, options: Partial<Parameters<typeof startGateway>[0]> = {}) => {
  limiter = new MemoryLimiter()
  const channels = [
    aChannel({ baseUrl: upstream.url }),
    aChannel({ id: 2, type: 14, models: ['claude-sonnet-4-20250514'], baseUrl: upstream.url }),
  ]
  gateway = await startGateway({ channels, caller, limiter, settings: { RetryTimes: 0 }, ...options })
}
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  expect(limiter.mistakes).toEqual([])
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

/** Estimated at 17 tokens: forty characters, and the overhead of a message. The provider's count is charged. */
const content = 'a'.repeat(40)
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content }] }
const stream = { ...chat, stream: true }
const counts = (prompt_tokens: number, completion_tokens: number) => ({ usage: { prompt_tokens, completion_tokens } })
const message = (body: object) =>
  gateway.send({
    method: 'POST',
    path: '/v1/messages',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
const windows = (requests: number, successes: number) => ({ windowSeconds: 3_600, requests, successes })
const limitHeadersOf = ({ headers }: { headers: object }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.includes('ratelimit')))

describe('windows', () => {
  it('count successes only, and reserve one while a request is running', async () => {
    await start({ rateLimit: windows(0, 1) })
    upstream.next({ status: 400 }, { stallAfterEvents: 3 })
    expect((await gateway.chat(chat)).status).toBe(400)

    const { disconnect } = await gateway.open(stream)
    const rejected = await gateway.chat(chat)
    disconnect()

    expect(rejected.code).toBe('token_rate_limited')
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '7'])
    expect(upstream.requests).toHaveLength(2)
    await upstream.aborted(1)
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  })

  it('count every request of a user, successful or not', async () => {
    const settings = {
      ModelRequestRateLimitEnabled: true,
      ModelRequestRateLimitCount: 3,
      ModelRequestRateLimitSuccessCount: 1,
    }
    await start({}, { settings })
    upstream.next({ status: 400 })

    const responses = []
    for (let count = 0; count < 4; count++) responses.push(await gateway.chat(chat))

    expect(responses.map(({ status }) => status)).toEqual([400, 200, 429, 429])
    expect(responses[3]!.code).toBe('model_rate_limited')
    expect(limiter.used.get('calls:user:7:requests')).toBe(3)
  })
})

describe('tokens per minute', () => {
  it('reserve the estimate, charge the metered usage, and reject when a response has exceeded them', async () => {
    await start({ tokensPerMinute: 100 })
    upstream.next(counts(12, 200))

    const completed = await gateway.chat(chat)
    const rejected = await gateway.chat(chat)

    expect(limitHeadersOf(completed)).toMatchObject({ 'x-ratelimit-remaining-tokens': '0' })
    expect(limiter.used.get('calls:token:70:tokens')).toBe(212)
    expect(rejected).toMatchObject({ code: 'token_tokens_per_minute_limited' })
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '7'])
    expect(upstream.requests).toHaveLength(1)
  })

  it('return a retry time at which the request limit has room too', async () => {
    await start({ rateLimit: windows(2, 0), tokensPerMinute: 100 })
    upstream.next(counts(12, 200))
    await gateway.chat(chat)

    const rejected = await gateway.chat(chat)

    expect(rejected).toMatchObject({ code: 'token_tokens_per_minute_limited' })
    expect(rejected.headers['retry-after']).toBe('1800')
  })

  it('still count a request whose body cannot be read', async () => {
    await start({ rateLimit: windows(1, 0), tokensPerMinute: 100, maxConcurrency: 1 })
    const headers = { authorization: `Bearer ${KEY}` }

    const noJson = await gateway.send({ method: 'POST', path: '/v1/chat/completions', headers, body: '{' })
    const rejected = await gateway.chat(chat)

    expect([noJson.status, rejected.status]).toEqual([400, 429])
    expect(rejected.code).toBe('token_rate_limited')
    expect(limiter.held).toBe(0)
  })

  it('are returned when a request fails, and in part when it used less than the estimate', async () => {
    await start({ tokensPerMinute: 100 })
    upstream.next({ status: 500 }, counts(2, 1))

    await gateway.chat(chat)
    expect(limiter.used.get('calls:token:70:tokens')).toBe(0)
    await gateway.chat(chat)

    expect(limiter.used.get('calls:token:70:tokens')).toBe(3)
  })

  it('reject a prompt that can never fit, without a retry time', async () => {
    await start({ tokensPerMinute: 30 })

    const rejected = await gateway.chat({ ...chat, messages: [{ role: 'user', content: 'tide '.repeat(400) }] })

    expect(rejected.json.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'tokens' })
    expect(rejected.json.error.message).toContain('trying again will not help')
    expect(rejected.status).toBe(429)
    expect(rejected.headers).not.toHaveProperty('retry-after')
    expect(rejected.headers).toMatchObject({ 'x-should-retry': 'false' })
    expect(limitHeadersOf(rejected)).toMatchObject({ 'x-ratelimit-remaining-tokens': '30' })
    expect(upstream.requests).toHaveLength(0)
  })

  it('count exactly near the limit, where an estimate could reject a prompt that fits', async () => {
    await start({ tokensPerMinute: 120 })

    const completed = await gateway.chat({
      ...chat,
      messages: [{ role: 'user', content: 'international '.repeat(40) }],
    })

    expect(completed.status).toBe(200)
  })

  it('charge what a stream had sent when its client disconnected', async () => {
    await start({ tokensPerMinute: 1_000 })
    upstream.next({ text: 'one two three four five', betweenEventsMs: 5, stallAfterEvents: 4 })
    const { response, disconnect } = await gateway.open(stream)
    await new Promise((resolve) => response.once('data', resolve))

    disconnect()

    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
    expect(limiter.used.get('calls:token:70:tokens')).toBeGreaterThan(0)
    expect(limiter.used.get('calls:token:70:tokens')).toBeLessThan(40)
  })
})

describe('concurrent requests', () => {
  const both = { rateLimit: windows(0, 50), maxConcurrency: 1 }

  it('are rejected beyond the limit, with an estimated retry time', async () => {
    await start(both)
    upstream.next({ stallAfterEvents: 3 })
    const { disconnect } = await gateway.open(stream)

    const rejected = await gateway.chat(chat)

    expect(rejected).toMatchObject({ code: 'token_concurrency_limited' })
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '1'])
    expect(upstream.requests).toHaveLength(1)
    disconnect()
    await expect.poll(() => limiter.held).toBe(0)
  })

  it.each([
    ['a response', {}, chat, 200],
    ['a stream', {}, stream, 200],
    ['an error of the provider', { status: 500 }, chat, 500],
    ['an error inside a stream', { errorEvent: { afterEvents: 3 } }, stream, 200],
    ['a stream that is cut', { cut: { afterEvents: 3 } }, stream, 200],
    ['a connection that is cut', { cut: { afterEvents: 0 } }, chat, 502],
    ['an empty response', { text: '' }, chat, 200],
  ])('end when %s has ended', async (_, script, body, status) => {
    await start(both)
    upstream.next(script)

    const ended = await gateway.chat(body)
    // At once: a client that has the last byte may send its next request.
    const next = await gateway.chat(chat)

    expect([ended.status, next.status]).toEqual([status, 200])
    expect(limiter.held).toBe(0)
  })

  it('end when the client disconnects, before the response or during it', async () => {
    await start(both, { settings: { 'billing.disconnect_read_seconds': 0 } })
    upstream.next({ hang: true }, { stallAfterEvents: 3 })
    const early = request(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      agent: false,
    }).on('error', () => {})
    early.end(JSON.stringify(stream))
    await upstream.received(1)
    expect(limiter.held).toBe(1)
    early.destroy()
    await expect.poll(() => limiter.held).toBe(0)

    const { response, disconnect } = await gateway.open(stream)
    await new Promise((resolve) => response.once('data', resolve))
    expect(limiter.held).toBe(1)
    disconnect()

    await expect.poll(() => limiter.held).toBe(0)
  })

  it('end when a request is rejected after it was admitted', async () => {
    await start(both)

    const noModel = await gateway.chat({ ...chat, model: 'unknown' })
    const noJson = await gateway.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: '{',
    })

    expect([noModel.status, noJson.status, limiter.held]).toEqual([404, 400, 0])
  })
})

describe('rate limit headers', () => {
  it('show the tightest budget with every response and every error', async () => {
    await start({ rateLimit: windows(9, 2), tokensPerMinute: 1_000 })
    upstream.always(counts(10, 5))

    const completed = await gateway.chat(chat)
    const streamed = await gateway.chat(stream)
    const rejected = await gateway.chat(chat)

    expect(limitHeadersOf(completed)).toEqual({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '30m0s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '985',
      'x-ratelimit-reset-tokens': '900ms',
    })
    expect(limitHeadersOf(streamed)).toMatchObject({
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-remaining-tokens': '968', // the headers are sent before the usage is known
    })
    expect(rejected.status).toBe(429)
    expect(limitHeadersOf(rejected)).toMatchObject({ 'x-ratelimit-remaining-requests': '0' })
  })

  it('return the reserved success of a failed request', async () => {
    await start({ rateLimit: windows(0, 5) })
    upstream.next({ status: 500 })

    expect(limitHeadersOf(await gateway.chat(chat))).toMatchObject({ 'x-ratelimit-remaining-requests': '5' })
  })

  it("have Anthropic's names too on Anthropic's protocol", async () => {
    await start({ rateLimit: windows(9, 0) })
    const body = { model: 'claude-sonnet-4-20250514', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }

    const completed = await message(body)
    const streamed = await message({ ...body, stream: true })

    expect(completed.status).toBe(200)
    expect(completed.headers).toMatchObject({
      'anthropic-ratelimit-requests-limit': '9',
      'anthropic-ratelimit-requests-remaining': '8',
      'anthropic-ratelimit-requests-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      'x-ratelimit-remaining-requests': '8',
    })
    expect(streamed.headers).toMatchObject({ 'anthropic-ratelimit-requests-remaining': '7' })
  })

  it("never show the limits of the operator's account at the provider", async () => {
    const headers = {
      'x-ratelimit-limit-requests': '10000',
      'x-ratelimit-remaining-tokens': '149984',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-priority-input-tokens-limit': '1',
      'ratelimit-limit': '7',
    }
    await start({})
    upstream.always({ headers })

    const completed = await gateway.chat(chat)
    const streamed = await gateway.chat(stream)

    expect(completed.headers).not.toHaveProperty('anthropic-priority-input-tokens-limit')
    expect([limitHeadersOf(completed), limitHeadersOf(streamed)]).toEqual([{}, {}])
  })
})

describe('calls of the limiter', () => {
  it('are not made for a caller without limits', async () => {
    await start({})

    await gateway.chat(chat)

    expect(limiter.trips).toBe(0)
  })

  it.each<[Partial<CallerRecord>, number]>([
    [{ rateLimit: windows(5, 5) }, 1],
    [{ rateLimit: windows(5, 5), maxConcurrency: 3 }, 2],
    [{ tokensPerMinute: 500 }, 2],
    [{ rateLimit: windows(5, 5), maxConcurrency: 3, tokensPerMinute: 500 }, 3],
  ])(
    'are few for %o: one on arrival, one for the prompt, and one at the end if a correction is needed',
    async (caller, trips) => {
      await start(caller)

      await gateway.chat(chat)

      expect(limiter.trips).toBe(trips)
    },
  )
})
