import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { KEY, type TestGateway } from '../support/gateway.ts'
import { CASES, gatewayTo, MODEL } from './case.ts'
import { startProvider, type FakeProvider } from './provider.ts'
import { json } from './wire-formats.ts'

const DASHSCOPE = CASES.find(({ type }) => type === 17)!

let provider: FakeProvider
let gateway: TestGateway
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
afterEach(async () => {
  await gateway.close()
  provider.reset()
})

const task = (task_status: string, more: object = {}) =>
  json({ request_id: 'r1', output: { task_id: 'task-1', task_status, ...more } })

/** The provider accepts the job and returns one status after another, the last one repeatedly. */
async function submit(polls: readonly ReturnType<typeof task>[], body: object = {}, leave?: AbortController) {
  let seen = 0
  provider.respond = ({ method, url }) => {
    if (url.startsWith('/files/')) return { headers: { 'content-type': 'image/png' }, body: Buffer.from('a picture') }
    if (method === 'POST') return task('PENDING')
    seen += 1
    if (seen === 2) leave?.abort()
    return polls[Math.min(seen, polls.length) - 1]!
  }
  gateway = await gatewayTo(provider, DASHSCOPE, { model: 'wanx-v1', ...(leave && { pollMs: 50 }) })
  const response = await fetch(`${gateway.url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, prompt: 'a tide gate', ...body }),
    ...(leave && { signal: leave.signal }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

const pollCount = () => provider.requests.filter(({ url }) => url.includes('/tasks/')).length

describe('images of an upstream job', () => {
  it('are returned when they are ready, each billed once', async () => {
    const results = [{ url: 'https://oss.example/a.png' }, { url: 'https://oss.example/b.png' }]

    const { status, body } = await submit([task('PENDING'), task('RUNNING'), task('SUCCEEDED', { results })], { n: 2 })

    expect([status, body.data]).toEqual([200, results])
    expect(pollCount()).toBe(3)
    expect(gateway.credit.settled[0]?.log.other).toMatchObject({ pieces: 2 })
  })

  it('are fetched where a client wants their bytes, without the key', async () => {
    const results = [{ url: `${provider.url}/files/a.png` }]

    const { body } = await submit([task('SUCCEEDED', { results })], { response_format: 'b64_json' })

    expect(body.data).toEqual([{ b64_json: Buffer.from('a picture').toString('base64') }])
    const fetched = provider.requests.at(-1)!
    expect(fetched.url).toBe('/files/a.png')
    expect(JSON.stringify(fetched)).not.toContain(DASHSCOPE.row.key(provider.url))
  })

  it('cause a client error when the provider rejects them', async () => {
    const failed = task('FAILED', { code: 'DataInspectionFailed', message: 'Input may be inappropriate.' })

    const { status, body } = await submit([failed])

    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'DataInspectionFailed' })])
    expect(gateway.events[0]).toMatchObject({ kind: 'attempt', outcome: 'client' })
    expect(provider.spareRequests).toBe(0)
    expect(gateway.credit.states()).toEqual(['released'])
  })

  it('are abandoned after twenty polls when not ready, and no other channel is called', async () => {
    const { status } = await submit([task('RUNNING')])

    expect(status).toBe(504)
    expect(pollCount()).toBe(20)
    expect(provider.spareRequests).toBe(0)
    expect(gateway.credit.states()).toEqual(['released'])
  })

  it('are no longer polled when the client disconnects', async () => {
    const response = submit([task('RUNNING')], {}, new AbortController())

    await expect(response).rejects.toThrow(/abort/i)
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
    expect(pollCount()).toBeLessThan(20)
    expect(gateway.credit.states()).toEqual(['released'])
  })
})
