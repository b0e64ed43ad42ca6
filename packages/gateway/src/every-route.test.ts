import { fakeTaskVendor, fakeUpstream, type FakeTaskVendor, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERSATIONS, OPERATIONS } from './ingress/endpoints.ts'
import { aRecording } from './operations/test-recording.ts'
import { aChannel } from './test-catalog.ts'
import { KEY, startGateway, type TestGateway } from './test-gateway.ts'
import { MemoryTasks } from './test-tasks.ts'

const MODEL = 'tide-1'
const messages = [{ role: 'user', content: 'hi' }]

/** The least that each call takes. A route that is not here fails the test below. */
const BODIES: Readonly<Record<string, object | 'sound' | 'image'>> = {
  '/chat/completions': { messages },
  '/completions': { prompt: 'hi' },
  '/responses': { input: 'hi' },
  '/messages': { messages, max_tokens: 10 },
  '/embeddings': { input: 'hi' },
  '/moderations': { input: 'hi' },
  '/rerank': { query: 'hi', documents: ['a'] },
  '/images/generations': { prompt: 'hi' },
  '/images/edits': 'image',
  '/images/variations': 'image',
  '/audio/speech': { input: 'hi', voice: 'alloy' },
  '/audio/transcriptions': 'sound',
  '/audio/translations': 'sound',
}

/** Orders of what takes its time, each with the least it takes. */
const ORDERS: Readonly<Record<string, object>> = {
  '/mj/submit/imagine': { prompt: 'hi' },
  '/mj/submit/describe': { base64: 'data:image/png;base64,AAAA' },
  '/mj/submit/blend': { base64Array: ['a', 'b'] },
  '/mj/submit/shorten': { prompt: 'hi' },
  '/mj/submit/upload-discord-images': { base64Array: ['a'] },
  '/mj/insight-face/swap': { sourceBase64: 'a', targetBase64: 'b' },
  '/suno/submit/music': {},
  '/suno/submit/lyrics': { prompt: 'hi' },
  '/v1/videos': { prompt: 'hi', model: 'sora-2' },
}
const TASK_MODELS =
  'mj_imagine,mj_describe,mj_blend,mj_shorten,mj_upload,swap_face,suno_music,suno_lyrics,sora-2'.split(',')

/** Answered here, without a vendor and without a bill. */
const FREE = ['GET /models', `GET /models/${MODEL}`, 'POST /messages/count_tokens', 'GET /dashboard/billing/usage']

let upstream: FakeUpstream
let vendor: FakeTaskVendor
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
  vendor = await fakeTaskVendor()
  const figures = { remain: 1_000_000, used: 1 }
  gateway = await startGateway({
    channels: [
      aChannel({ baseUrl: upstream.url, models: [MODEL] }),
      ...[5, 36, 1].map((type, at) =>
        aChannel({ id: at + 2, type, baseUrl: vendor.url, keys: [vendor.key], models: TASK_MODELS }),
      ),
    ],
    settings: { ModelRatio: { [MODEL]: 1 }, ShadowEnabled: true },
    tasks: new MemoryTasks(),
    accounts: { figuresOf: () => Promise.resolve({ user: figures, token: figures }) },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  await vendor.close()
})

async function ask(method: string, path: string, under = '/v1'): Promise<number> {
  const body = BODIES[path]
  const headers = { authorization: `Bearer ${KEY}` }
  const isForm = typeof body === 'string'
  const response = await fetch(gateway.url + under + path, {
    method,
    headers: { ...headers, ...(!isForm && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && {
      body: isForm ? form(body) : JSON.stringify({ model: MODEL, ...(body ?? { messages }) }),
    }),
  })
  await response.arrayBuffer()
  return response.status
}

function form(kind: 'sound' | 'image'): FormData {
  const data = new FormData()
  data.append('model', MODEL)
  data.append('prompt', 'hi')
  const bytes = new Uint8Array(aRecording({ seconds: 1 }))
  data.append(kind === 'sound' ? 'file' : 'image', new Blob([bytes]), kind === 'sound' ? 'a.wav' : 'a.png')
  return data
}

describe('every call that a vendor answers', () => {
  const routes = [...Object.keys(CONVERSATIONS), ...Object.keys(OPERATIONS)]

  it('is known here', () => {
    expect(Object.keys(BODIES).toSorted()).toEqual(routes.toSorted())
  })

  it.each(routes)('%s is paid for, once', async (path) => {
    const settled = gateway.credit.settled.length
    const asked = upstream.requests.length

    expect(await ask('POST', path)).toBe(200)

    expect(upstream.requests).toHaveLength(asked + 1)
    expect(gateway.credit.settled).toHaveLength(settled + 1)
    expect(gateway.credit.settled.at(-1)?.receipt.quota).toBeGreaterThan(0)
    expect(gateway.credit.mistakes).toEqual([])
  })

  it.each(routes)('a copy of %s is decided and paid by nobody', async (path) => {
    const before = [upstream.requests.length, gateway.credit.entries.length]

    expect(await ask('POST', path, '/shadow/v1')).toBe(202)

    expect([upstream.requests.length, gateway.credit.entries.length]).toEqual(before)
    expect(gateway.shadows.at(-1)).toMatchObject({ model: MODEL, path: `/v1${path}`, channelId: 1, refusal: null })
    expect(gateway.shadows.at(-1)?.reserve).toBeGreaterThan(0)
  })
})

it.each(Object.entries(ORDERS))('an order at %s is paid for, once', async (path, body) => {
  const settled = gateway.credit.settled.length
  const asked = vendor.orders.length

  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  expect(response.status).toBe(200)
  expect(vendor.orders).toHaveLength(asked + 1)
  expect(gateway.credit.settled).toHaveLength(settled + 1)
  expect(gateway.credit.settled.at(-1)?.receipt.quota).toBeGreaterThan(0)
})

it.each(Object.keys(ORDERS))('a copy of an order at %s is not looked at', async (path) => {
  const before = [vendor.orders.length, gateway.credit.entries.length, gateway.shadows.length]

  expect(await ask('POST', path, '/shadow')).toBe(501)

  expect([vendor.orders.length, gateway.credit.entries.length, gateway.shadows.length]).toEqual(before)
})

it.each(FREE)('%s asks no vendor', async (call) => {
  const [method, path] = call.split(' ') as [string, string]
  const before = [upstream.requests.length, gateway.credit.entries.length]

  expect(await ask(method, path)).toBe(200)

  expect([upstream.requests.length, gateway.credit.entries.length]).toEqual(before)
})
