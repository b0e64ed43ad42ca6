import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERSATIONS, OPERATIONS } from './ingress/endpoints.ts'
import { aRecording } from './operations/test-recording.ts'
import { aChannel } from './test-catalog.ts'
import { KEY, startGateway, type TestGateway } from './test-gateway.ts'

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

/** Answered here, without a vendor and without a bill. */
const FREE = ['GET /models', `GET /models/${MODEL}`, 'POST /messages/count_tokens', 'GET /dashboard/billing/usage']

let upstream: FakeUpstream
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
  const figures = { remain: 1, used: 1 }
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: upstream.url, models: [MODEL] })],
    settings: { ModelRatio: { [MODEL]: 1 } },
    accounts: { figuresOf: () => Promise.resolve({ user: figures, token: figures }) },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function ask(method: string, path: string): Promise<number> {
  const body = BODIES[path]
  const headers = { authorization: `Bearer ${KEY}` }
  const isForm = typeof body === 'string'
  const response = await fetch(`${gateway.url}/v1${path}`, {
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
})

it.each(FREE)('%s asks no vendor', async (call) => {
  const [method, path] = call.split(' ') as [string, string]
  const before = [upstream.requests.length, gateway.credit.entries.length]

  expect(await ask(method, path)).toBe(200)

  expect([upstream.requests.length, gateway.credit.entries.length]).toEqual(before)
})
