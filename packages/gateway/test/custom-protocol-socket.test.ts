import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'
import { fakeSpark, sparkChunk, sparkError, type FakeSpark } from './support/spark.ts'

const MODEL = 'SparkDesk-v3.5'
const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'when is the tide?' },
]
const question = { model: MODEL, messages: MESSAGES }

let spark: FakeSpark
let other: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  spark = await fakeSpark()
  other = await fakeUpstream()
  gateway = await startGateway({
    channels: [
      aChannel({ type: 18, keys: ['app|secret|apikey'], baseUrl: spark.url, models: [MODEL, 'Spark'], priority: 9 }),
      aChannel({ id: 2, baseUrl: other.url, models: [MODEL] }),
    ],
    settings: { ModelRatio: { [MODEL]: 1, Spark: 1 }, CompletionRatio: { [MODEL]: 1, Spark: 1 }, RetryTimes: 1 },
    deadlines: { firstTokenMs: 2000, responseMs: 2000, idleMs: 300 },
  })
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await other.close()
  spark.close()
})

const attempts = () => gateway.events.flatMap((event) => (event.kind === 'attempt' ? event.outcome : []))

describe('Spark over a WebSocket', () => {
  it.each([false, true])('serves a client of OpenAI, streamed: %s, and is billed by its usage', async (stream) => {
    const { status, json, data } = await gateway.chat({ ...question, stream, max_tokens: 50 })

    const text = stream
      ? data.map((part) => (part === '[DONE]' ? '' : (JSON.parse(part).choices[0]?.delta.content ?? ''))).join('')
      : json.choices[0].message.content
    expect([status, text]).toEqual([200, 'The tide turns at noon.'])
    expect(gateway.credit.settled[0]?.usage).toMatchObject({ input: 11, output: 5, estimated: false })
    const [{ url, message }] = spark.requests as [FakeSpark['requests'][number]]
    expect(url.pathname).toBe('/v3.5/chat')
    expect([...url.searchParams.keys()]).toEqual(['authorization', 'date', 'host'])
    expect(message).toEqual({
      header: { app_id: 'app', uid: expect.stringMatching(/^[0-9a-f]{32}$/) },
      parameter: { chat: { domain: 'generalv3.5', max_tokens: 50 } },
      payload: { message: { text: MESSAGES } },
    })
    await expect.poll(() => spark.closed).toEqual([1000])
  })

  it('serves a client of Anthropic, with the version of the channel', async () => {
    const body = JSON.stringify({ ...question, model: 'Spark', messages: MESSAGES.slice(1), max_tokens: 50 })

    const { json } = await gateway.send({ method: 'POST', path: '/v1/messages', headers: { 'x-api-key': KEY }, body })

    expect(json.content).toEqual([{ type: 'text', text: 'The tide turns at noon.' }])
    expect(spark.requests[0]?.url.pathname).toBe('/v2.1/chat')
  })

  it.each([
    [11200, 'auth'],
    [11201, 'credit'],
    [10007, 'rate'],
    [10013, 'client'],
    [10012, 'server'],
  ])('is skipped for another channel after error %i, with failure class %s', async (code, outcome) => {
    spark.respondWith((send) => send(sparkError(code, 'no')))

    const { status } = await gateway.chat({ ...question, stream: true })

    expect([status, attempts()]).toEqual([200, [outcome, 'served']])
    await expect.poll(() => spark.closed).toHaveLength(1)
  })

  it.each([false, true])('is skipped if it closes before any content, streamed: %s', async (stream) => {
    spark.respondWith((_send, socket) => socket.terminate())

    const { status } = await gateway.chat({ ...question, stream })

    expect([status, attempts()]).toEqual([200, ['server', 'served']])
  })

  it('is skipped if it cannot be reached', async () => {
    spark.close()

    const { status } = await gateway.chat(question)

    expect([status, attempts()]).toEqual([200, ['server', 'served']])
  })

  it.each([
    ['breaks', (socket: { terminate(): void }) => socket.terminate()],
    ['stops sending', () => {}],
    ['closes normally without an end', (socket: { close(code: number): void }) => socket.close(1000)],
  ])('ends the stream with an error when it %s midway, and the received part is billed', async (_how, failure) => {
    spark.respondWith((send, socket) => {
      send(sparkChunk('The tide '))
      failure(socket)
    })

    const { data } = await gateway.chat({ ...question, stream: true })

    expect(JSON.parse(data.at(-1)!)).toHaveProperty('error.message')
    expect(gateway.credit.settled[0]?.usage).toMatchObject({ estimated: true })
  })

  it('is disconnected when the client disconnects', async () => {
    spark.respondWith((send) => send(sparkChunk('The tide ')))
    const { response, disconnect } = await gateway.open({ ...question, stream: true })
    response.resume()

    disconnect()

    await expect.poll(() => spark.closed).toHaveLength(1)
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
  })

  it('is not used for tools or images, which another channel serves', async () => {
    const tools = [{ type: 'function', function: { name: 'tide', parameters: {} } }]

    const rejected = await gateway.chat({ ...question, model: 'Spark', tools })
    const { status } = await gateway.chat({ ...question, tools })

    expect([rejected.status, rejected.json.error.code]).toEqual([400, 'convert_request_failed'])
    expect([status, spark.requests, attempts()]).toEqual([200, [], ['served']])
  })
})
