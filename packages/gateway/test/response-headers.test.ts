import { fakeTaskProvider, fakeUpstream, type FakeTaskProvider, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aCaller, aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'
import { BODIES, MODEL, requestTo, SUBMISSIONS, TASK_MODELS } from './support/routes.ts'
import { MemoryTasks } from './support/tasks.ts'

/** Headers that could affect the console's origin, caches or the caller's browser. */
const HOSTILE = {
  'access-control-allow-credentials': 'true',
  'access-control-allow-origin': 'https://evil.example',
  'alt-svc': 'h3="evil.example:443"',
  'cf-ray': 'abc',
  'clear-site-data': '"*"',
  'content-security-policy': "default-src 'none'",
  etag: '"1"',
  link: '<https://evil.example/x.js>; rel=preload',
  location: 'https://evil.example',
  'permissions-policy': 'camera=*',
  'referrer-policy': 'unsafe-url',
  refresh: '0; url=https://evil.example',
  'service-worker-allowed': '/',
  'set-cookie': 'tidegate_session=planted',
  sourcemap: 'https://evil.example/x.map',
  'strict-transport-security': 'max-age=1',
  'anthropic-organization-id': 'org-1',
  'openai-organization': 'org-1',
  'anthropic-ratelimit-requests-remaining': '1',
  'x-ratelimit-remaining-requests': '1',
  'www-authenticate': 'Basic',
  'x-anything': '1',
  'x-frame-options': 'DENY',
  'x-robots-version': '1',
}
/** Headers that get other values than the provider's. */
const REPLACED = {
  'cache-control': 'public, max-age=999',
  vary: 'accept',
  'x-content-type-options': 'none',
  'x-request-id': 'provider-1',
}
const USEFUL = { 'openai-processing-ms': '12', 'openai-version': '2020-10-01', 'retry-after': '3' }

const GEMINI = `/v1beta/models/${MODEL}:generateContent`
const CHAT = { messages: [{ role: 'user', content: 'hi' }] }
const SERVED: readonly { path: string; body?: object | 'audio' | 'image' }[] = [
  ...Object.entries(BODIES).map(([path, body]) => ({ path: `/v1${path}`, body })),
  ...Object.entries(BODIES)
    .filter(([path]) => /^.(chat|responses|messages|images.generations)/.test(path))
    .map(([path, body]) => ({ path: `/v1${path}?streamed`, body: { ...(body as object), stream: true } })),
  ...Object.entries(SUBMISSIONS).map(([path, body]) => ({ path, body })),
  { path: GEMINI, body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] } },
  { path: '/v1beta/interactions', body: { input: 'hi' } },
  { path: '/v1beta/interactions?streamed', body: { input: 'hi', stream: true } },
  { path: '/pg/chat/completions', body: CHAT },
  { path: '/pg/chat/completions?streamed', body: { ...CHAT, stream: true } },
]

let upstream: FakeUpstream
let taskProvider: FakeTaskProvider
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
  taskProvider = await fakeTaskProvider()
  const amounts = { remain: 1_000_000, used: 1 }
  gateway = await startGateway({
    channels: [
      aChannel({ baseUrl: upstream.url, models: [MODEL] }),
      aChannel({ id: 9, type: 14, baseUrl: upstream.url, models: ['claude-1'] }),
      ...[5, 36, 1].map((type, at) =>
        aChannel({ id: at + 2, type, baseUrl: taskProvider.url, keys: [taskProvider.key], models: TASK_MODELS }),
      ),
    ],
    settings: { ModelRatio: { [MODEL]: 1, 'claude-1': 1 } },
    tasks: new MemoryTasks(),
    users: { identify: () => Promise.resolve(aCaller()) },
    accounts: { amountsOf: () => Promise.resolve({ user: amounts, token: amounts }) },
  })
})
afterEach(() => upstream.reset())
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  await taskProvider.close()
})

async function send(path: string, body?: object | 'audio' | 'image', method = 'POST') {
  const response = await fetch(gateway.url + path, requestTo(method, path.replace(/\?.*/, ''), body))
  await response.arrayBuffer()
  return response
}
const passedFrom = (headers: Headers) => Object.keys(HOSTILE).filter((name) => headers.has(name))
const SAFE = { caching: expect.stringMatching(/\bno-store$/), sniffing: 'nosniff' }
const safetyOf = ({ headers }: Response) => ({
  caching: headers.get('cache-control'),
  sniffing: headers.get('x-content-type-options'),
})

describe('response headers of a provider', () => {
  it.each(SERVED)('are filtered by an allow list at $path', async ({ path, body }) => {
    upstream.always({ headers: { ...HOSTILE, ...REPLACED } })

    const response = await send(path, body)

    expect(response.status).toBe(200)
    expect(passedFrom(response.headers).filter((name) => name !== 'access-control-allow-origin')).toEqual([])
    expect(response.headers.get('access-control-allow-origin')).not.toBe(HOSTILE['access-control-allow-origin'])
    expect(response.headers.get('vary')).toBeNull()
    expect(response.headers.get('x-request-id')).toMatch(/^req-/)
    expect(safetyOf(response)).toEqual(SAFE)
  })

  it('are forwarded where clients read them', async () => {
    upstream.always({ headers: { ...USEFUL, 'x-request-id': 'provider-1', 'apim-request-id': 'provider-2' } })

    const { headers } = await send('/v1/chat/completions')

    expect(Object.fromEntries(headers)).toMatchObject({
      ...USEFUL,
      'content-type': 'application/json',
      'x-upstream-request-id': 'provider-1',
      'x-upstream-apim-request-id': 'provider-2',
    })
  })

  it('keep the name and the type of a file', async () => {
    upstream.always({ headers: { 'content-type': 'audio/mpeg', 'content-disposition': 'attachment; filename=a.mp3' } })

    const { headers } = await send('/v1/audio/speech')

    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'audio/mpeg',
      'attachment; filename=a.mp3',
    ])
  })

  it('do not replace the request id that clients of Anthropic read', async () => {
    upstream.always({ headers: { 'request-id': 'provider-1' } })

    const served = await send('/v1/messages', { model: 'claude-1', ...CHAT, max_tokens: 10 })
    const rejected = await send('/v1/messages', { model: 'unknown', ...CHAT, max_tokens: 10 })

    expect(served.headers.get('request-id')).toBe(served.headers.get('x-request-id'))
    expect(served.headers.get('x-upstream-request-id')).toBe('provider-1')
    expect(rejected.headers.get('request-id')).toBe(rejected.headers.get('x-request-id'))
  })
})

describe('responses are neither stored nor sniffed', () => {
  it.each([
    '/v1/chat/completions',
    '/v1/messages',
    GEMINI,
    '/pg/chat/completions',
    '/mj/submit/nothing',
    '/suno/submit/nothing',
  ])('sets the safety headers when %s fails', async (path) => {
    upstream.always({ status: 400, headers: { ...HOSTILE, ...REPLACED } })

    const response = await send(path, { model: 'unknown' })

    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(passedFrom(response.headers).filter((name) => name !== 'access-control-allow-origin')).toEqual([])
    expect(safetyOf(response)).toEqual(SAFE)
  })

  it('sets the safety headers when the provider fails', async () => {
    upstream.always({ status: 400, headers: { ...HOSTILE, ...REPLACED } })

    const response = await send('/v1/chat/completions')

    expect(response.status).toBe(400)
    expect(passedFrom(response.headers)).toEqual(['access-control-allow-origin'])
    expect(safetyOf(response)).toEqual(SAFE)
  })

  it.each(['/v1/models', '/v1/dashboard/billing/usage', '/v1/nowhere', '/v1beta/models', '/mj/task/unknown/fetch'])(
    'sets the safety headers when the gateway responds to GET %s itself',
    async (path) => {
      expect(safetyOf(await send(path, undefined, 'GET'))).toEqual(SAFE)
    },
  )
})
