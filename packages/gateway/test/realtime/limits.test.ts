import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { CallerRecord } from '../../src/ports/index.ts'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryLimiter } from '../support/limiter.ts'
import { startRealtimeProvider, type RealtimeProvider } from '../support/realtime-provider.ts'

const MODEL = 'gpt-4o-realtime-preview'
const TOKENS = 'calls:token:70:tokens'
const TOKENS_OF_RESPONSE = 80

let provider: RealtimeProvider
let gateway: TestGateway
let limiter: MemoryLimiter
beforeEach(async () => {
  provider = await startRealtimeProvider()
  limiter = new MemoryLimiter()
})
afterEach(async () => {
  expect(limiter.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  provider.close()
})

async function start(caller: Partial<CallerRecord>): Promise<void> {
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: provider.url, models: [MODEL] })],
    settings: { ModelRatio: { [MODEL]: 2.5 }, CompletionRatio: { [MODEL]: 1 }, PreConsumedQuota: 500 },
    caller,
    limiter,
  })
}

const connect = () =>
  new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`, ['realtime'], {
    headers: { authorization: `Bearer ${KEY}` },
  })

async function session() {
  const socket = connect()
  const events: { type: string; error?: object }[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as { type: string }))
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  await once(socket, 'open')
  const respond = () => socket.send('{"type":"response.create"}')
  const responses = () => events.filter(({ type }) => type === 'response.done').length
  return { socket, events, closed, respond, responses }
}

async function rejection() {
  const socket = connect()
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  response.resume()
  socket.terminate()
  const { headers, statusCode: status } = response
  return { status, code: headers['x-tidegate-error'], headers }
}

const waitForEnd = () => expect.poll(() => gateway.gateway.openRequests()).toBe(0)

it('charges each response against the tokens per minute, and ends the session when they are exhausted', async () => {
  await start({ tokensPerMinute: 100 })
  const { respond, responses, events, closed } = await session()
  respond()
  await expect.poll(responses).toBe(1)
  expect(limiter.used.get(TOKENS)).toBe(TOKENS_OF_RESPONSE)

  respond()

  const [code, reason] = await closed
  expect([code, reason.toString()]).toEqual([1000, 'rate limit exceeded'])
  expect(responses()).toBe(2) // the response that was produced is delivered
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'token_tokens_per_minute_limited' } })
  await waitForEnd()
  expect(limiter.used.get(TOKENS)).toBe(2 * TOKENS_OF_RESPONSE)
  expect(gateway.credit.states()).toEqual(['settled'])
  expect(gateway.credit.settled[0]?.usage).toMatchObject({ input: 12, cacheRead: 8, audioInput: 40, audioOutput: 60 })
})

it('rejects a new session while the tokens per minute are exhausted', async () => {
  await start({ tokensPerMinute: TOKENS_OF_RESPONSE })
  const { respond, closed } = await session()
  respond()
  await closed
  await waitForEnd()

  const { status, code, headers } = await rejection()

  expect([status, code]).toEqual([429, 'token_tokens_per_minute_limited'])
  expect(headers).toMatchObject({ 'retry-after': '7', 'x-ratelimit-remaining-tokens': '0' })
  expect(provider.handshakes).toHaveLength(1)
})

it('ends a session when other requests have exhausted the tokens per minute', async () => {
  await start({ tokensPerMinute: 1_000 })
  const { respond, closed, events } = await session()
  await limiter.release({ budgets: [{ key: TOKENS, limit: 1_000, windowSeconds: 60, cost: 950 }] })

  respond()

  await closed
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'token_tokens_per_minute_limited' } })
  await waitForEnd()
})

it('holds one concurrency lease until the session closes', async () => {
  await start({ tokensPerMinute: 100_000, maxConcurrency: 1 })
  const { socket, respond, responses, closed } = await session()
  respond()
  await expect.poll(responses).toBe(1)

  const rejected = await rejection()
  socket.close()
  await closed
  await waitForEnd()
  const next = await session()
  next.socket.close()
  await waitForEnd()

  expect([rejected.status, rejected.code]).toEqual([429, 'token_concurrency_limited'])
  expect(limiter.held).toBe(0)
})

it('returns the token that an unused session acquired', async () => {
  await start({ tokensPerMinute: 1_000, rateLimit: { windowSeconds: 60, requests: 0, successes: 5 } })
  provider.close()

  expect((await rejection()).status).toBe(502)

  await waitForEnd()
  expect([limiter.used.get(TOKENS), limiter.used.get('calls:token:70:successes')]).toEqual([0, 0])
})
