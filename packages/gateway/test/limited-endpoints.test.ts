import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { fakeTaskProvider, fakeUpstream, type FakeTaskProvider, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { findEndpoint, type Endpoint } from '../src/http/endpoints.ts'
import { startRealtimeProvider, type RealtimeProvider } from './support/realtime-provider.ts'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'
import { MemoryLimiter } from './support/limiter.ts'
import { BODIES, MODEL, requestTo, SUBMISSIONS, TASK_MODELS } from './support/routes.ts'
import { MemoryTasks } from './support/tasks.ts'

/** A new kind of endpoint has to be listed here. */
const IS_LIMITED: Readonly<Record<Endpoint['kind'], boolean>> = {
  chat: true,
  operation: true,
  realtime: true,
  task: true,
  // A copy has separate counters; `shadow.test.ts` covers it.
  shadow: false,
  'count-tokens': false,
  'list-models': false,
  'one-model': false,
  'stored-response': false,
  conversation: false,
  file: false,
  batch: false,
  billing: false,
  'not-implemented': false,
  'responses-socket': false,
  unknown: false,
  'wrong-base': false,
}

const REALTIME = `/v1/realtime?model=${MODEL}`
const GEMINI = `/v1beta/models/${MODEL}:generateContent`
const LIMITED: readonly { path: string; body?: object | 'audio' | 'image' }[] = [
  ...Object.entries(BODIES).map(([path, body]) => ({ path: `/v1${path}`, body })),
  ...Object.entries(SUBMISSIONS).map(([path, body]) => ({ path, body })),
  { path: GEMINI, body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] } },
  { path: '/v1beta/interactions', body: { input: 'hi' } },
  { path: REALTIME },
]

const UNLIMITED = [
  'GET /v1/models',
  `GET /v1/models/${MODEL}`,
  'POST /v1/messages/count_tokens',
  'GET /v1beta/interactions/unknown',
  'POST /v1beta/interactions/unknown/cancel',
  'DELETE /v1beta/interactions/unknown',
  'GET /v1/dashboard/billing/usage',
  'GET /v1/videos',
  'GET /v1/videos/unknown',
  'GET /mj/task/unknown/fetch',
  'POST /mj/task/list-by-condition',
  'GET /suno/fetch/unknown',
  'POST /suno/fetch',
]

let upstream: FakeUpstream
let taskProvider: FakeTaskProvider
let realtimeProvider: RealtimeProvider
let gateway: TestGateway
let limiter: MemoryLimiter
beforeAll(async () => {
  upstream = await fakeUpstream()
  taskProvider = await fakeTaskProvider()
  realtimeProvider = await startRealtimeProvider()
})
afterAll(async () => {
  realtimeProvider.close()
  await upstream.close()
  await taskProvider.close()
})
async function stop(): Promise<void> {
  expect(limiter.mistakes).toEqual([])
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
}

async function start(
  path: string,
  { caller, settings }: Pick<Parameters<typeof startGateway>[0], 'caller' | 'settings'>,
): Promise<void> {
  limiter = new MemoryLimiter()
  const amounts = { remain: 1_000_000, used: 1 }
  const baseUrl = path === REALTIME ? realtimeProvider.url : upstream.url
  gateway = await startGateway({
    channels: [
      aChannel({ baseUrl, models: [MODEL] }),
      ...[5, 36, 1].map((type, at) =>
        aChannel({ id: at + 2, type, baseUrl: taskProvider.url, keys: [taskProvider.key], models: TASK_MODELS }),
      ),
    ],
    caller,
    settings: { ModelRatio: { [MODEL]: 1 }, ...settings },
    limiter,
    tasks: new MemoryTasks(),
    accounts: { amountsOf: () => Promise.resolve({ user: amounts, token: amounts }) },
  })
}

interface LimitedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

async function send(
  method: string,
  path: string,
  body?: object | 'audio' | 'image',
  extra: Readonly<Record<string, string>> = {},
): Promise<LimitedResponse> {
  if (path === REALTIME) return openSocket(extra)
  const request = requestTo(method, path, body)
  const response = await fetch(gateway.url + path, { ...request, headers: { ...request.headers, ...extra } })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

async function openSocket(extra: Readonly<Record<string, string>>): Promise<LimitedResponse> {
  const url = gateway.url.replace('http', 'ws') + REALTIME
  const socket = new WebSocket(url, ['realtime'], { headers: { authorization: `Bearer ${KEY}`, ...extra } })
  socket.on('error', () => {})
  const rejected = once(socket, 'unexpected-response') as Promise<[unknown, IncomingMessage]>
  const opened = await Promise.race([once(socket, 'open').then(() => true), rejected.then(() => false)])
  if (opened) {
    socket.close()
    await once(socket, 'close')
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
    return { status: 200, headers: {}, text: '' }
  }
  const [, response] = await rejected
  const { statusCode: status = 0, headers } = response
  const text = (await response.toArray()).join('')
  socket.terminate()
  return { status, headers, text }
}

const sent = () => upstream.requests.length + taskProvider.submissions.length + realtimeProvider.handshakes.length
const tokensPerMinute = 1_000_000
const oneRequest = { windowSeconds: 3_600, requests: 1, successes: 0 }

it('covers every limited kind of endpoint', () => {
  const kinds = LIMITED.map(({ path }) => findEndpoint(path === REALTIME ? 'GET' : 'POST', path).kind)
  const limited = Object.entries(IS_LIMITED).filter(([, isLimited]) => isLimited)

  expect(new Set(kinds)).toEqual(new Set(limited.map(([kind]) => kind)))
})

describe.each(LIMITED)('$path', ({ path, body }) => {
  afterEach(stop)

  it('rejects the second request of a token that may send one', async () => {
    await start(path, { caller: { rateLimit: oneRequest, tokensPerMinute, maxConcurrency: 1 } })
    const first = await send('POST', path, body)
    const before = sent()

    const second = await send('POST', path, body)

    expect([first.status, second.status]).toEqual([200, 429])
    expect(second.headers['x-tidegate-error']).toBe('token_rate_limited')
    expect(second.headers).toMatchObject({
      'retry-after': '7',
      'x-ratelimit-limit-requests': '1',
      'x-ratelimit-remaining-requests': '0',
    })
    expect([sent(), limiter.held]).toEqual([before, 0])
  })

  it('rejects the second request of a user when the site allows one', async () => {
    const settings = { ModelRequestRateLimitEnabled: true, ModelRequestRateLimitCount: 1 }
    await start(path, { settings, caller: { tokensPerMinute } })
    const first = await send('POST', path, body)
    const before = sent()

    const second = await send('POST', path, body)

    expect([first.status, second.status, sent()]).toEqual([200, 429, before])
    expect(second.headers['x-tidegate-error']).toBe('model_rate_limited')
  })

  it('rejects a request while another one of the token runs', async () => {
    await start(path, { caller: { tokensPerMinute, maxConcurrency: 1 } })
    const running = { key: 'calls:token:70', limit: 1, holder: 'another request' }
    await limiter.acquire({ budgets: [], lease: running })
    const before = sent()

    const rejected = await send('POST', path, body)
    await limiter.release({ budgets: [], lease: running })
    const accepted = await send('POST', path, body)

    expect([rejected.status, accepted.status, sent()]).toEqual([429, 200, before + 1])
    expect(rejected.headers['x-tidegate-error']).toBe('token_concurrency_limited')
    expect(rejected.headers).toMatchObject({ 'retry-after': '1' })
    expect(limiter.held).toBe(0)
  })

  it('rejects a request when the tokens per minute are exhausted', async () => {
    await start(path, { caller: { tokensPerMinute, maxConcurrency: 1 } })
    limiter.used.set('calls:token:70:tokens', tokensPerMinute)
    const before = sent()

    const rejected = await send('POST', path, body)

    expect([rejected.status, sent(), limiter.held]).toEqual([429, before, 0])
    expect(rejected.headers['x-tidegate-error']).toBe('token_tokens_per_minute_limited')
  })

  it('rejects a browser extension where the site blocks them', async () => {
    await start(path, { settings: { 'global.block_browser_extension_enabled': true } })
    const before = sent()

    const rejected = await send('POST', path, body, { origin: 'chrome-extension://abc' })

    expect([rejected.status, sent()]).toEqual([403, before])
    expect(rejected.headers['x-tidegate-error']).toBe('browser_extension_blocked')
  })

  it('rejects a request that the balance does not cover', async () => {
    await start(path, {})
    gateway.credit.balance = 0
    const before = sent()

    const rejected = await send('POST', path, body)

    expect(sent()).toBe(before)
    expect(rejected.headers['x-tidegate-error']).toBe('insufficient_user_quota')
  })

  it.runIf(JSON.stringify(body)?.includes('"hi"'))('rejects a prompt with a blocked word', async () => {
    await start(path, { settings: { CheckSensitiveEnabled: true, SensitiveWords: ['hi'] } })
    const before = sent()

    const rejected = await send('POST', path, body)

    expect([rejected.status, sent()]).toEqual([400, before])
    expect(rejected.headers['x-tidegate-error']).toBe('sensitive_words_detected')
  })

  it('counts successes and failures in the metrics', async () => {
    await start(path, {})
    await send('POST', path, body)
    gateway.setChannels([
      aChannel({ baseUrl: 'http://127.0.0.1:9', models: [MODEL, ...TASK_MODELS], type: typeFor(path) }),
    ])
    const failed = await send('POST', path, body)

    const outcomes = gateway.events.flatMap((event) => (event.kind === 'model-request' ? [event.outcome] : []))
    expect(failed.status).toBeGreaterThanOrEqual(400)
    expect(outcomes).toEqual(['served', 'failed'])
  })
})

/** The type of a channel that serves the path. */
function typeFor(path: string): number {
  if (path.startsWith('/mj')) return 5
  return path.startsWith('/suno') ? 36 : 1
}

describe('requests that submit nothing', () => {
  afterEach(stop)

  it.each(UNLIMITED)('%s is not counted', async (request) => {
    const [method, path] = request.split(' ') as [string, string]
    await start(path, { caller: { rateLimit: oneRequest, tokensPerMinute, maxConcurrency: 1 } })

    const statuses = [(await send(method, path)).status, (await send(method, path)).status]

    expect(statuses).not.toContain(429)
    expect(limiter.trips).toBe(0)
  })
})
