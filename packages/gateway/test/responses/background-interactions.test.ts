import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryResponses } from '../support/responses.ts'

const PROVIDERS = [
  { name: 'openai', type: 1, model: 'gpt-4o' },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-4-5' },
  { name: 'gemini', type: 24, model: 'gemini-2.5-pro' },
  { name: 'deepseek', type: 43, model: 'deepseek-chat' },
]
const OTHER_USER = 'sk-otheruserotheruserotheruser'

let upstream: FakeUpstream
let gateway: TestGateway
let responses: MemoryResponses
beforeEach(async () => {
  upstream = await fakeUpstream()
  responses = new MemoryResponses()
  gateway = await startGateway({
    channels: PROVIDERS.map(({ type, model }, index) =>
      aChannel({ id: index + 1, type, baseUrl: upstream.url, models: [model] }),
    ),
    responses,
    otherCallers: { [OTHER_USER]: { userId: 8, tokenId: 80 } },
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

interface StreamedEvent {
  readonly event_type: string
  readonly event_id: string
  readonly status?: string
  readonly interaction_id?: string
  readonly error?: object
  readonly delta?: { readonly type: string; readonly text?: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read interactions of any shape
  readonly interaction?: any
}

const send = (method: string, path: string, { body, key = KEY }: { body?: object; key?: string } = {}) =>
  gateway.send({
    method,
    path: `/v1beta/interactions${path}`,
    headers: { 'x-goog-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
const question = (model: string) => ({ model, input: 'How is the tide?', background: true, stream: true })
const begin = async (model: string) => (await send('POST', '', { body: question(model) })).text
const show = async (id: string) => (await send('GET', `/${id}`)).json
const settled = () => gateway.credit.states().filter((state) => state === 'settled').length

function eventsIn(text: string): StreamedEvent[] {
  const lines = [...text.matchAll(/^data: (\{.*)$/gm)]
  return lines.map(([, data]) => JSON.parse(data!) as StreamedEvent)
}

const textIn = (events: readonly StreamedEvent[]) =>
  events.flatMap(({ delta }) => (delta?.type === 'text' ? delta.text : [])).join('')
const END = 'event: done\ndata: [DONE]\n\n'

/** A client that reads the first events of a stream, and disconnects. */
async function leaveAfter(count: number, body: object): Promise<StreamedEvent[]> {
  const abort = new AbortController()
  const response = await fetch(`${gateway.url}/v1beta/interactions`, {
    method: 'POST',
    headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: abort.signal,
  })
  let text = ''
  const reader = response.body!.getReader()
  while (eventsIn(text).length < count) text += Buffer.from((await reader.read()).value!).toString('utf8')
  abort.abort()
  return eventsIn(text)
}

describe.each(PROVIDERS)('a streamed background interaction on a channel of $name', ({ model }) => {
  it('has numbered events of one interaction, and is billed once', async () => {
    upstream.next({ text: 'The tide is high.' })

    const text = await begin(model)
    const events = eventsIn(text)

    expect(text.endsWith(END)).toBe(true)
    expect(events.map(({ event_id: id }) => id)).toEqual(events.map((_, index) => `e${index}`))
    expect(events.map(({ event_type: type }) => type).slice(0, 2)).toEqual([
      'interaction.created',
      'interaction.status_update',
    ])
    expect(events[0]!.interaction).toMatchObject({ status: 'queued', model })
    const ids = events.flatMap(({ interaction, interaction_id: id }) => interaction?.id ?? id ?? [])
    expect(new Set(ids).size).toBe(1)
    expect(textIn(events)).toBe('The tide is high.')
    const { event_type: type, interaction } = events.at(-1)!
    expect([type, interaction.status]).toEqual(['interaction.completed', 'completed'])
    expect(interaction.usage.total_tokens).toBeGreaterThan(0)
    await expect.poll(async () => (await show(ids[0])).status).toBe('completed')
    expect((await show(ids[0])).steps.at(-1).content).toEqual([{ type: 'text', text: 'The tide is high.' }])
    expect(settled()).toBe(1)
  })

  it('can be resumed after each event, also when it is over', async () => {
    upstream.next({ text: 'The tide is high.' })
    const events = eventsIn(await begin(model))
    const { id } = events[0]!.interaction

    for (const after of [0, 2, events.length - 2]) {
      const { status, headers, text } = await send('GET', `/${id}?stream=true&last_event_id=e${after}`)

      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
      expect(eventsIn(text)).toEqual(events.slice(after + 1))
      expect(text.endsWith(END)).toBe(true)
    }
    expect(eventsIn((await send('GET', `/${id}?stream=true`)).text)).toEqual(events)
  })

  it('goes on when the client leaves, and is resumed', async () => {
    let finish = () => {}
    const headersAfter = new Promise<void>((resolve) => (finish = resolve))
    upstream.next({ text: 'The tide is high.', headersAfter })
    const [created] = await leaveAfter(1, question(model))
    await upstream.received(1)

    const resumed = send('GET', `/${created!.interaction.id}?stream=true&last_event_id=${created!.event_id}`)
    finish()

    const events = eventsIn((await resumed).text)
    expect(events[0]).toMatchObject({ event_type: 'interaction.status_update', status: 'in_progress', event_id: 'e1' })
    expect(textIn(events)).toBe('The tide is high.')
    expect(events.at(-1)!.event_type).toBe('interaction.completed')
    expect(settled()).toBe(1)
  })

  it('ends when it is cancelled', async () => {
    upstream.next({ textLength: 400, stallAfterEvents: 20 })
    const [created] = await leaveAfter(1, question(model))
    const { id } = created!.interaction
    const resumed = send('GET', `/${id}?stream=true`)
    await upstream.received(1)

    const cancelled = await send('POST', `/${id}/cancel`)

    expect(cancelled.json).toMatchObject({ id, status: 'cancelled' })
    const { text } = await resumed
    expect(eventsIn(text).at(-1)).toMatchObject({
      event_type: 'interaction.completed',
      interaction: { id, status: 'cancelled' },
    })
    expect(text.endsWith(END)).toBe(true)
    await upstream.aborted(1)
    expect((await send('POST', `/${id}/cancel`)).json.status).toBe('cancelled')
  })

  it('ends with an error event when its provider fails', async () => {
    upstream.next({ status: 500 })

    const events = eventsIn(await begin(model))

    expect(events.at(-1)).toMatchObject({
      event_type: 'error',
      event_id: `e${events.length - 1}`,
      error: { code: expect.any(String), message: expect.any(String) },
    })
    const { id } = events[0]!.interaction
    expect(await show(id)).toMatchObject({ status: 'failed', errors: [{ message: expect.any(String) }] })
    expect(eventsIn((await send('GET', `/${id}?stream=true`)).text)).toEqual(events)
    expect(settled()).toBe(0)
  })
})

describe('the stream of an interaction', () => {
  it.each(['e', '3', 'e-1', 'x'])('cannot be resumed after the event "%s"', async (after) => {
    upstream.next({ text: 'The tide is high.' })
    const { id } = eventsIn(await begin('gpt-4o'))[0]!.interaction

    const { status, json } = await send('GET', `/${id}?stream=true&last_event_id=${after}`)

    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(json.error.message).toContain('last_event_id')
  })

  it('is not that of another user, nor that of a response', async () => {
    upstream.next({ text: 'The tide is high.' })
    const { id } = eventsIn(await begin('gpt-4o'))[0]!.interaction

    const ofAnother = await send('GET', `/${id}?stream=true`, { key: OTHER_USER })
    const asResponse = await gateway.send({
      method: 'GET',
      path: `/v1/responses/${id}?stream=true`,
      headers: { authorization: `Bearer ${KEY}` },
    })

    expect([ofAnother.status, ofAnother.json.error.status]).toEqual([404, 'NOT_FOUND'])
    expect(asResponse.status).toBe(404)
  })

  it('exists only for one that was created with background and stream', async () => {
    upstream.next({ text: 'The tide is high.' })
    const { id } = (await send('POST', '', { body: { model: 'gpt-4o', input: 'hi' } })).json as { id: string }

    const { status, json } = await send('GET', `/${id}?stream=true`)

    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  })

  it('is not begun if it cannot be stored', async () => {
    const { status, json } = await send('POST', '', { body: { ...question('gpt-4o'), store: false } })

    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(upstream.requests).toEqual([])
  })

  it('is not begun with a webhook', async () => {
    const body = { ...question('gemini-2.5-pro'), webhook_config: { uris: ['https://hooks.example/'] } }

    const { status, json } = await send('POST', '', { body })

    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(json.error.message).toContain('webhook_config')
    expect(upstream.requests).toEqual([])
  })

  it('ends with an error event when the process that ran it ended', async () => {
    upstream.next({ text: 'The tide is high.' })
    const events = eventsIn(await begin('gpt-4o'))
    const { id } = events[0]!.interaction
    const [stored] = responses.saved
    const { input, response } = stored!.content()!
    const lost = { code: 'server_error', message: 'The process ended.' }
    responses.saved[0] = {
      ...stored!,
      content: () => ({ input, response: { ...response, status: 'failed', error: lost } }),
    }
    responses.events.set(id, [{ first: 0, events: [events[0] as never, events[1] as never] }])

    const resumed = eventsIn((await send('GET', `/${id}?stream=true&last_event_id=e0`)).text)

    expect(resumed).toEqual([events[1], { event_type: 'error', event_id: 'e2', error: lost }])
  })
})
