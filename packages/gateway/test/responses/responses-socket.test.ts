import { once } from 'node:events'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryResponses } from '../support/responses.ts'

const PROVIDERS = [
  { name: 'openai', type: 1, model: 'gpt-5' },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-4-5' },
  { name: 'gemini', type: 24, model: 'gemini-2.5-flash' },
  { name: 'deepseek', type: 43, model: 'deepseek-chat' },
]

let upstream: FakeUpstream
let gateway: TestGateway
const sockets: WebSocket[] = []
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
  for (const socket of sockets.splice(0)) socket.terminate()
  await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

interface Frame {
  readonly type: string
  readonly stream_id?: string
  readonly status?: number
  readonly delta?: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read events of any shape
  readonly [member: string]: any
}

async function connect(key = KEY) {
  const url = `${gateway.url.replace('http', 'ws')}/v1/responses`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } })
  sockets.push(socket)
  const frames: Frame[] = []
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString('utf8')) as Frame))
  await once(socket, 'open')
  const ends = () => frames.filter(({ type }) => END.test(type))
  return {
    socket,
    frames,
    create: (body: object) => socket.send(JSON.stringify({ type: 'response.create', ...body })),
    /** The last event of the response with this number. */
    async end(count: number): Promise<Frame> {
      await expect.poll(() => ends().length).toBeGreaterThanOrEqual(count)
      return ends()[count - 1]!
    },
  }
}
const END = /^(error|response\.(completed|incomplete|failed|steer\.failed))$/
const settled = () => gateway.credit.states().filter((state) => state === 'settled').length
const lastBody = () => JSON.stringify(upstream.requests.at(-1)!.body)
const textIn = (frames: readonly Frame[]) =>
  frames.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('')

describe.each(PROVIDERS)('a socket with a channel of $name', ({ model }) => {
  it('streams each response, and bills each as a request', async () => {
    const client = await connect()
    upstream.next({ text: 'The tide is high.' }, { text: 'It is low.' })

    client.create({ model, input: 'How is the tide?' })
    const first = await client.end(1)
    expect(client.frames[0]!.type).toBe('response.created')
    expect(first).toMatchObject({ type: 'response.completed', response: { status: 'completed' } })
    expect(textIn(client.frames)).toBe('The tide is high.')

    client.create({ model, input: 'And now?', previous_response_id: first.response.id })
    await client.end(2)

    expect(textIn(client.frames)).toBe('The tide is high.It is low.')
    await expect.poll(settled).toBe(2)
  })

  it('continues what only the connection remembers, also with tools', async () => {
    const client = await connect()
    const tools = [{ type: 'function', name: 'tide', parameters: { type: 'object', properties: {} } }]
    upstream.next({ toolCalls: [{ id: 'call_1', name: 'tide', arguments: '{"port":"Brest"}' }] }, { text: 'High.' })

    client.create({ model, input: [], generate: false, store: false, tools })
    const { response: warm } = await client.end(1)
    expect(warm).toMatchObject({ status: 'completed', output: [] })
    expect(upstream.requests).toHaveLength(0)
    const question = [{ role: 'user', content: 'How is the tide?' }]
    client.create({ model, input: question, previous_response_id: warm.id, store: false, tools })
    const { response: called } = await client.end(2)
    const { call_id } = called.output.find(({ type }: { type: string }) => type === 'function_call')
    const output = [{ type: 'function_call_output', call_id, output: 'high water' }]
    client.create({ model, input: output, previous_response_id: called.id, store: false, tools })
    const last = await client.end(3)

    expect(last).toMatchObject({ type: 'response.completed' })
    expect(lastBody()).toMatch(/How is the tide\?.*Brest.*high water/)
    expect(settled()).toBe(2)
  })

  it('reports an error as an event, and goes on', async () => {
    const client = await connect()
    upstream.next({ status: 400 }, { text: 'High.' })

    client.create({ model, input: 'How is the tide?' })
    expect(await client.end(1)).toMatchObject({ type: 'error', status: 400, error: { message: expect.any(String) } })
    client.create({ model, input: 'How is the tide?' })
    expect(await client.end(2)).toMatchObject({ type: 'response.completed' })
  })

  it('ends the upstream request when the client leaves, and bills what was generated', async () => {
    const client = await connect()
    upstream.next({ textLength: 400, stallAfterEvents: 20 })
    client.create({ model, input: 'How is the tide?' })
    await expect.poll(() => textIn(client.frames)).not.toBe('')

    client.socket.close()

    await upstream.aborted(1)
    await expect.poll(settled).toBe(1)
  })
})

const MODEL = 'deepseek-chat'

it('serves one stream id in order, and others at the same time', async () => {
  const client = await connect()
  let finish = () => {}
  const headersAfter = new Promise<void>((resolve) => (finish = resolve))
  upstream.when(({ rawBody }) => rawBody.includes('slow'), { text: 'slow', headersAfter })

  client.create({ model: MODEL, input: 'slow', stream_id: 'a' })
  await upstream.received(1)
  client.create({ model: MODEL, input: 'second', stream_id: 'a' })
  client.create({ model: MODEL, input: 'other', stream_id: 'b' })

  expect(await client.end(1)).toMatchObject({ stream_id: 'b' })
  expect(upstream.requests).toHaveLength(2)
  finish()
  await client.end(3)
  const ends = client.frames.filter(({ type }) => type === 'response.completed')
  expect(ends.map(({ stream_id: id }) => id)).toEqual(['b', 'a', 'a'])
  expect(client.frames.every(({ stream_id: id }) => id !== undefined)).toBe(true)
})

it.each([
  ['{', 400, 'invalid_text_request'],
  ['{"type":"session.update"}', 400, 'invalid_text_request'],
  [JSON.stringify({ type: 'response.create', input: 'hi' }), 400, undefined],
  [JSON.stringify({ type: 'response.create', model: 'unknown', input: 'hi' }), 404, 'model_not_found'],
])('rejects %s with an event', async (message, status, code) => {
  const client = await connect()

  client.socket.send(message)

  const event = await client.end(1)
  expect(event).toMatchObject({ type: 'error', status })
  if (code) expect(event.error.code).toBe(code)
})

it('does not steer responses', async () => {
  const client = await connect()

  client.socket.send(JSON.stringify({ type: 'response.steer', previous_response_id: 'r', input: 'x' }))

  expect(await client.end(1)).toEqual({ type: 'response.steer.failed', error: { code: 'steering_not_supported' } })
})

it('closes after a binary message', async () => {
  const { socket } = await connect()

  socket.send(Buffer.from([1]))

  expect(await once(socket, 'close')).toMatchObject([1003, expect.anything()])
})

it('rejects a handshake without a valid API token', async () => {
  const url = `${gateway.url.replace('http', 'ws')}/v1/responses`
  const socket = new WebSocket(url, { headers: { authorization: 'Bearer sk-unknown' } })
  socket.on('error', () => {})

  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]

  expect(response.statusCode).toBe(401)
})

it('closes when the API token is revoked', async () => {
  const { socket, frames } = await connect()
  gateway.setCaller(undefined)

  await gateway.gateway.recheckAll()

  expect(await once(socket, 'close')).toMatchObject([1008, expect.anything()])
  expect(frames).toMatchObject([{ type: 'error', status: 401 }])
})

it('closes for a restart when the process stops', async () => {
  const { socket } = await connect()

  const closed = once(socket, 'close')
  await gateway.gateway.drain(1)

  expect(await closed).toMatchObject([1012, expect.anything()])
})

it('limits the requests that wait', async () => {
  const client = await connect()
  upstream.when(() => true, { textLength: 400, stallAfterEvents: 5 })

  for (let count = 0; count < 40; count += 1) client.create({ model: MODEL, input: 'hi' })

  expect(await client.end(1)).toMatchObject({ type: 'error', status: 429, error: { code: 'websocket_queue_full' } })
})
