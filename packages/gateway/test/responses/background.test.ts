import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryResponses } from '../support/responses.ts'

const PROVIDERS = [
  { name: 'openai', type: 1, model: 'gpt-4o' },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-4-5' },
  { name: 'deepseek', type: 43, model: 'deepseek-chat' },
]

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
  gateway = await startGateway({
    channels: PROVIDERS.map(({ type, model }, index) =>
      aChannel({ id: index + 1, type, baseUrl: upstream.url, models: [model] }),
    ),
    responses: new MemoryResponses(),
    settings: { RetryTimes: 0, 'billing.disconnect_read_seconds': 0 },
  })
})
afterEach(async () => {
  await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

const send = (method: string, path: string, body?: object) =>
  gateway.send({
    method,
    path: `/v1/responses${path}`,
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
const begin = async (model: string, fields: object = {}) =>
  (await send('POST', '', { model, input: 'How is the tide?', background: true, ...fields })).json
const statusOf = async (id: string) => (await send('GET', `/${id}`)).json.status as string
const settled = () => gateway.credit.states().filter((state) => state === 'settled').length

describe.each(PROVIDERS)('a background response on a channel of $name', ({ model }) => {
  it('is queued at once, can be polled, and is billed once', async () => {
    upstream.next({ text: 'The tide is high.' })

    const queued = await begin(model, { metadata: { port: 'Brest' } })

    expect(queued).toMatchObject({ object: 'response', status: 'queued', background: true, output: [], model })
    await expect.poll(() => statusOf(queued.id)).toBe('completed')
    const { json } = await send('GET', `/${queued.id}`)
    expect(json).toMatchObject({ id: queued.id, background: true, store: true, metadata: { port: 'Brest' } })
    expect(json.output.at(-1).content[0].text).toBe('The tide is high.')
    expect(settled()).toBe(1)
  })

  it('can be continued', async () => {
    upstream.next({ text: 'The tide is high.' })
    const { id } = await begin(model)
    await expect.poll(() => statusOf(id)).toBe('completed')

    const next = await send('POST', '', { model, input: 'Why?', previous_response_id: id })

    expect(next.status).toBe(200)
    expect(JSON.stringify(upstream.requests.at(-1)!.body)).toMatch(/How is the tide\?.*The tide is high\..*Why\?/)
  })

  it('is cancelled, and what was generated is billed', async () => {
    upstream.next({ textLength: 400, stallAfterEvents: 20 })
    const { id } = await begin(model)
    await upstream.received(1)

    const cancelled = await send('POST', `/${id}/cancel`)

    expect(cancelled.json).toMatchObject({ id, status: 'cancelled' })
    await upstream.aborted(1)
    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
    expect(await statusOf(id)).toBe('cancelled')
    expect((await send('POST', `/${id}/cancel`)).json.status).toBe('cancelled')
    expect(gateway.credit.states()).toHaveLength(1)
  })

  it('fails with its provider', async () => {
    upstream.next({ status: 500 })
    const { id } = await begin(model)

    await expect.poll(() => statusOf(id)).toBe('failed')

    expect((await send('GET', `/${id}`)).json.error).toMatchObject({ message: expect.any(String) })
    expect(settled()).toBe(0)
  })
})

describe.each(PROVIDERS)('a streamed background response on a channel of $name', ({ model }) => {
  it('has numbered events, and is billed once', async () => {
    upstream.next({ text: 'The tide is high.' })

    const events = eventsIn((await send('POST', '', { ...question(model), metadata: { port: 'Brest' } })).text)

    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
    ])
    const ids = events.flatMap(({ response }) => response?.id ?? [])
    expect(new Set(ids).size).toBe(1)
    expect(textIn(events)).toBe('The tide is high.')
    const { type, response } = events.at(-1)!
    expect(type).toBe('response.completed')
    expect(response).toMatchObject({ status: 'completed', background: true, metadata: { port: 'Brest' } })
    await expect.poll(() => statusOf(ids[0])).toBe('completed')
    expect((await send('GET', `/${ids[0]}`)).json).toEqual(response)
    expect(settled()).toBe(1)
  })

  it('can be resumed after each event, also when it is over', async () => {
    upstream.next({ text: 'The tide is high.' })
    const all = (await send('POST', '', question(model))).text
    const events = eventsIn(all)
    const id = events[0]!.response!.id

    for (const after of [0, 2, events.length - 2]) {
      const { status, headers, text } = await send('GET', `/${id}?stream=true&starting_after=${after}`)

      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
      expect(eventsIn(text)).toEqual(events.slice(after + 1))
    }
    expect(eventsIn((await send('GET', `/${id}?stream=true`)).text)).toEqual(events)
  })

  it('goes on when the client leaves, and is resumed', async () => {
    let finish = () => {}
    const headersAfter = new Promise<void>((resolve) => (finish = resolve))
    upstream.next({ text: 'The tide is high.', headersAfter })
    const opened = await openStream(question(model))
    const [{ response: created }] = await opened.leaveAfter(2)
    await upstream.received(1)

    const resumed = send('GET', `/${created!.id}?stream=true&starting_after=1`)
    finish()

    const events = eventsIn((await resumed).text)
    expect(events[0]).toMatchObject({ type: 'response.in_progress', sequence_number: 2 })
    expect(textIn(events)).toBe('The tide is high.')
    expect(events.at(-1)!.type).toBe('response.completed')
    await expect.poll(() => statusOf(created!.id)).toBe('completed')
    expect(settled()).toBe(1)
  })

  it('ends when it is cancelled', async () => {
    upstream.next({ textLength: 400, stallAfterEvents: 20 })
    const opened = await openStream(question(model))
    const [{ response: created }] = await opened.leaveAfter(2)
    const resumed = send('GET', `/${created!.id}?stream=true`)
    await upstream.received(1)

    await send('POST', `/${created!.id}/cancel`)

    const last = eventsIn((await resumed).text).at(-1)!
    expect(last).toMatchObject({ type: 'response.incomplete', response: { status: 'cancelled' } })
    await upstream.aborted(1)
  })

  it('ends with the failure of its provider', async () => {
    upstream.next({ status: 500 })

    const events = eventsIn((await send('POST', '', question(model))).text)

    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
    expect(await statusOf(events[0]!.response!.id)).toBe('failed')
    expect(settled()).toBe(0)
  })
})

const question = (model: string) => ({ model, input: 'How is the tide?', background: true, stream: true })

interface StreamedEvent {
  readonly type: string
  readonly sequence_number: number
  readonly delta?: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  readonly response?: any
}

function eventsIn(text: string): StreamedEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as StreamedEvent)
}

const textIn = (events: readonly StreamedEvent[]) =>
  events.flatMap(({ type, delta }) => (type === 'response.output_text.delta' ? delta : [])).join('')

/** A client that reads the first events of a stream, and disconnects. */
async function openStream(body: object) {
  const abort = new AbortController()
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: abort.signal,
  })
  return {
    async leaveAfter(count: number): Promise<[StreamedEvent, ...StreamedEvent[]]> {
      let text = ''
      const reader = response.body!.getReader()
      while (eventsIn(text).length < count) text += Buffer.from((await reader.read()).value!).toString('utf8')
      abort.abort()
      return eventsIn(text) as [StreamedEvent, ...StreamedEvent[]]
    },
  }
}

it.each(['', '&starting_after=-1', '&starting_after=x'])('cannot stream what was not streamed (%s)', async (query) => {
  upstream.next({ text: 'The tide is high.' })
  const { id } = await begin('gpt-4o')
  await expect.poll(() => statusOf(id)).toBe('completed')

  const { status, code } = await send('GET', `/${id}?stream=true${query}`)

  expect([status, code]).toEqual([400, 'invalid_text_request'])
})

it('does not stream the response of another user', async () => {
  expect((await send('GET', '/resp_of_another?stream=true')).status).toBe(404)
})

it('is rejected if it is not stored', async () => {
  const rejected = await send('POST', '', { model: 'gpt-4o', input: 'hi', background: true, store: false })

  expect([rejected.status, rejected.code]).toEqual([400, 'invalid_text_request'])
  expect(upstream.requests).toEqual([])
})

it('cancels only background responses', async () => {
  const { json } = await send('POST', '', { model: 'gpt-4o', input: 'hi' })

  expect((await send('POST', `/${json.id}/cancel`)).status).toBe(400)
})
