import { fakeTaskProvider, fakeUpstream, type FakeTaskProvider, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHAT_PATHS, OPERATIONS } from '../src/http/endpoints.ts'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'
import { BODIES, MODEL, requestTo, SUBMISSIONS, TASK_MODELS } from './support/routes.ts'
import { MemoryTasks } from './support/tasks.ts'

/** Endpoints that need no provider and cost nothing. */
const FREE = ['GET /models', `GET /models/${MODEL}`, 'POST /messages/count_tokens', 'GET /dashboard/billing/usage']

let upstream: FakeUpstream
let provider: FakeTaskProvider
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
  provider = await fakeTaskProvider()
  const amounts = { remain: 1_000_000, used: 1 }
  gateway = await startGateway({
    channels: [
      aChannel({ baseUrl: upstream.url, models: [MODEL] }),
      ...[5, 36, 1].map((type, at) =>
        aChannel({ id: at + 2, type, baseUrl: provider.url, keys: [provider.key], models: TASK_MODELS }),
      ),
    ],
    settings: { ModelRatio: { [MODEL]: 1 }, ShadowEnabled: true },
    tasks: new MemoryTasks(),
    accounts: { amountsOf: () => Promise.resolve({ user: amounts, token: amounts }) },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  await provider.close()
})

async function sendRequest(method: string, path: string, under = '/v1'): Promise<number> {
  const response = await fetch(gateway.url + under + path, requestTo(method, under + path))
  await response.arrayBuffer()
  return response.status
}

describe('every endpoint that a provider serves', () => {
  const routes = [...Object.keys(CHAT_PATHS), ...Object.keys(OPERATIONS)]

  it('is listed here', () => {
    expect(Object.keys(BODIES).toSorted()).toEqual(routes.toSorted())
  })

  it.each(routes)('%s is billed once', async (path) => {
    const settled = gateway.credit.settled.length
    const before = upstream.requests.length

    expect(await sendRequest('POST', path)).toBe(200)

    expect(upstream.requests).toHaveLength(before + 1)
    expect(gateway.credit.settled).toHaveLength(settled + 1)
    expect(gateway.credit.settled.at(-1)?.receipt.quota).toBeGreaterThan(0)
    expect(gateway.credit.mistakes).toEqual([])
  })

  it.each(routes)('%s rejects an unknown model with 404, which clients do not retry', async (path) => {
    const response = await fetch(`${gateway.url}/v1${path}`, requestTo('POST', `/v1${path}`, BODIES[path], 'nope'))

    expect([response.status, response.headers.get('x-should-retry')]).toEqual([404, 'false'])
    expect(response.headers.get('x-tidegate-error')).toBe('model_not_found')
  })

  it.each(routes)('a copy of %s is evaluated and not billed', async (path) => {
    const before = [upstream.requests.length, gateway.credit.entries.length]

    expect(await sendRequest('POST', path, '/shadow/v1')).toBe(202)

    expect([upstream.requests.length, gateway.credit.entries.length]).toEqual(before)
    expect(gateway.shadows.at(-1)).toMatchObject({ model: MODEL, path: `/v1${path}`, channelId: 1, refusal: null })
    expect(gateway.shadows.at(-1)?.reserve).toBeGreaterThan(0)
  })
})

it.each(Object.entries(SUBMISSIONS))('a submission at %s is billed once', async (path, body) => {
  const settled = gateway.credit.settled.length
  const before = provider.submissions.length

  const response = await fetch(gateway.url + path, requestTo('POST', path, body))

  expect(response.status).toBe(200)
  expect(provider.submissions).toHaveLength(before + 1)
  expect(gateway.credit.settled).toHaveLength(settled + 1)
  expect(gateway.credit.settled.at(-1)?.receipt.quota).toBeGreaterThan(0)
})

it.each(Object.keys(SUBMISSIONS))('a copy of a submission at %s is not evaluated', async (path) => {
  const before = [provider.submissions.length, gateway.credit.entries.length, gateway.shadows.length]

  expect(await sendRequest('POST', path, '/shadow')).toBe(501)

  expect([provider.submissions.length, gateway.credit.entries.length, gateway.shadows.length]).toEqual(before)
})

it.each(FREE)('%s calls no provider', async (endpoint) => {
  const [method, path] = endpoint.split(' ') as [string, string]
  const before = [upstream.requests.length, gateway.credit.entries.length]

  expect(await sendRequest(method, path)).toBe(200)

  expect([upstream.requests.length, gateway.credit.entries.length]).toEqual(before)
})
