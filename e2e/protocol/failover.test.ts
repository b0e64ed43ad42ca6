import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  fakeUpstream,
  type FakeUpstream,
  type ReceivedRequest,
  type RunningServer,
  type Script,
  setUpSite,
  startServerOn,
  withServices,
} from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../scenarios/until.ts'
import { CLIENTS } from './matrix/clients/index.ts'
import { type ClientResponse, PROTOCOLS, type Protocol } from './matrix/conversation.ts'
import { ERROR_PROTOCOLS } from './api-errors/protocols.ts'

/** Long enough for working providers on a busy machine. */
const DEADLINE_SECONDS = 3
const RESPONSE = 'High water is at noon.'
const SETTLED = { timeout: 30_000, interval: 100 }
const CHANNEL_TYPES: Record<Protocol, number> = {
  'openai-chat': 1,
  'openai-responses': 1,
  'anthropic-messages': 14,
  'gemini-generate': 24,
  'gemini-interactions': 24,
}

/** Failures before any content, and how the log describes each. */
const FAILURES: { name: string; script: Script | 'role-only'; stream: boolean; reason: RegExp }[] = [
  { name: 'stalls before its headers', script: { hang: true }, stream: true, reason: /^timeout: / },
  { name: 'stalls after its headers', script: { stallAfterEvents: 0 }, stream: true, reason: /^timeout: / },
  { name: 'stalls after an event without content', script: 'role-only', stream: true, reason: /^timeout: / },
  {
    name: 'fails in the first event of a 200',
    script: { errorEvent: { afterEvents: 0, status: 500 } },
    stream: true,
    reason: /^answer: The fake upstream fails with 500/,
  },
  {
    name: 'fails in a 200 that should be a stream',
    script: { errorInside: { status: 503 } },
    stream: true,
    reason: /^answer: The fake upstream .*503/,
  },
  { name: 'disconnects before the first event', script: { cut: { afterEvents: 0 } }, stream: true, reason: /^reset: / },
  {
    name: 'ends the stream without an event',
    script: { body: '', headers: { 'content-type': 'text/event-stream' } },
    stream: true,
    reason: /^(answer|reset): /,
  },
  {
    name: 'stalls before the headers of a whole response',
    script: { hang: true },
    stream: false,
    reason: /^timeout: /,
  },
  {
    name: 'fails in a whole response with status 200',
    script: { errorInside: { status: 500 } },
    stream: false,
    reason: /^answer: The fake upstream .*500/,
  },
]

/** Failures after some content and before the end, in every protocol. */
const LONG_RESPONSE = `${RESPONSE} `.repeat(5)
const BREAKS: { name: string; script: Script }[] = [
  { name: 'errs', script: { text: LONG_RESPONSE, errorEvent: { afterEvents: 8, status: 500 } } },
  { name: 'hangs up', script: { text: LONG_RESPONSE, cut: { afterEvents: 8, partialBytes: 5 } } },
  { name: 'falls silent', script: { text: LONG_RESPONSE, stallAfterEvents: 8 } },
]

interface Cell {
  protocol: Protocol
  /** One model per cell: the health of a channel in one must not affect another. */
  model: string
  script: Script | 'role-only'
}
const failing = PROTOCOLS.flatMap((protocol) =>
  FAILURES.map((failure, index) => ({ ...failure, protocol, model: `fails-${index}-${protocol}` })),
)
const breaking = PROTOCOLS.flatMap((protocol) =>
  BREAKS.map((kind, index) => ({ ...kind, protocol, model: `breaks-${index}-${protocol}` })),
)
const cells: Cell[] = [...failing, ...breaking]
/** Silent long enough for a ping: then another channel responds, or none does. */
const pinged: Cell[] = PROTOCOLS.flatMap((protocol) =>
  ['pinged', 'lost'].map((fate) => ({ protocol, model: `${fate}-${protocol}`, script: { hang: true } })),
)

const muteModel = ({ name }: { name: string }) => `mute-${name}`

let server: RunningServer
let client: ApiClient
let bad: FakeUpstream
let good: FakeUpstream
let silent: SilentProvider
let key: string
const channels = {} as Record<Protocol, { bad: number; silent: number; good: number }>

beforeAll(async () => {
  ;[bad, good, silent] = await Promise.all([fakeUpstream(), fakeUpstream(), startSilentProvider()])
  server = await startServerOn(withServices, {
    env: {
      TIDEGATE_FIRST_TOKEN_TIMEOUT: String(DEADLINE_SECONDS),
      RELAY_TIMEOUT: String(DEADLINE_SECONDS),
      STREAMING_TIMEOUT: String(DEADLINE_SECONDS),
    },
  })
  client = apiClient(server.url)
  await setUpSite(client)
  const models = [...[...cells, ...pinged].map(({ model }) => model), ...ERROR_PROTOCOLS.map(muteModel)]
  const ratios = JSON.stringify(Object.fromEntries(models.map((model) => [model, 1])))
  for (const key of ['ModelRatio', 'CompletionRatio']) {
    await client.call(api.updateOption, { body: { key, value: ratios } })
  }
  await client.call(api.updateOption, { body: { key: 'RetryTimes', value: '1' } })
  for (const protocol of PROTOCOLS) channels[protocol] = await addChannels(protocol)
  for (const protocol of ERROR_PROTOCOLS) {
    await addChannel(client, bad, { type: protocol.channelType, models: muteModel(protocol) })
  }
  bad.when(({ path, rawBody }) => (path + rawBody.toString()).includes('mute-'), { hang: true })
  key = (await addToken(client)).secret
  good.always({ text: RESPONSE })
  good.when(({ path, rawBody }) => /"lost-|\/lost-/.test(path + rawBody.toString()), { hang: true })
  for (const { model, script } of [...cells, ...pinged]) {
    if (script !== 'role-only') bad.when((request) => isFor(request, model), { text: RESPONSE, ...script })
  }
})
afterAll(async () => {
  await server?.stop()
  await Promise.all([bad?.close(), good?.close()])
  silent?.close()
})

async function addChannels(protocol: Protocol) {
  const own = [...cells, ...pinged].filter((cell) => cell.protocol === protocol)
  const modelsOf = (some: readonly Cell[]) => some.map(({ model }) => model).join(',')
  const isSilent = ({ script }: Cell) => script === 'role-only'
  const add = async (provider: { url: string }, models: string, priority: number) =>
    (await addChannel(client, provider, { type: CHANNEL_TYPES[protocol], models, priority })).id
  return {
    bad: await add(bad, modelsOf(own.filter((cell) => !isSilent(cell))), 10),
    silent: await add(silent, modelsOf(own.filter(isSilent)), 10),
    good: await add(good, modelsOf(own), 0),
  }
}

describe('before any content', () => {
  it.concurrent.each(failing)(
    '$protocol: a channel that $name is replaced by one that responds, for one price',
    async ({ protocol, model, stream, script, reason }) => {
      const received = await sendChat(protocol, model, stream)

      expect(received).toMatchObject({ text: RESPONSE, error: undefined, finish: CLIENTS[protocol].finishReasons.stop })
      if (stream) expect(CLIENTS[protocol].endsWell(received.raw)).toBe(true)
      const { good: second, ...firsts } = channels[protocol]
      const first = script === 'role-only' ? firsts.silent : firsts.bad
      const row = await onlyRowOf(model)
      expect(row).toMatchObject({ channel: second, is_stream: stream, quota: expect.any(Number) })
      expect(row.quota).toBe(row.prompt_tokens + row.completion_tokens)
      expect(row.completion_tokens).toBeGreaterThan(0)
      expect(adminInfoOf(row)).toMatchObject({
        use_channel: [String(first), String(second)],
        attempts: [
          { channel: first, dialect: protocol, reason: expect.stringMatching(reason) },
          { channel: second, dialect: protocol },
        ],
        decision: { candidates: 2 },
      })
      expect(requestsFor(good, model)).toHaveLength(1)
    },
  )
})

describe('when no channel responds', () => {
  it.concurrent.each(ERROR_PROTOCOLS)('$name: fails with 504 in the format of the protocol', async (protocol) => {
    const model = muteModel(protocol)

    const response = await fetch(server.url + protocol.path(model), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...protocol.keyHeaders(key) },
      body: JSON.stringify(protocol.body(model, 'When is high water?')),
    })

    expect(response.status).toBe(504)
    const { code, message } = protocol.read(await response.json(), response.status)
    expect(code).toBe('upstream_timeout')
    expect(message).toContain(response.headers.get('x-request-id'))
  })
})

describe('after some content', () => {
  it.concurrent.each(breaking)(
    '$protocol: a channel that $name is not replaced; the client gets an error of the protocol',
    async ({ protocol, model }) => {
      const received = await sendChat(protocol, model, true)

      expect(received.text).not.toBe('')
      expect(LONG_RESPONSE.startsWith(received.text)).toBe(true)
      expect(received.error).toMatchObject({ message: expect.stringContaining('request id: ') })
      expect(CLIENTS[protocol].isOwnError(received.error!)).toBe(true)
      expect(CLIENTS[protocol].endsWell(received.raw)).toBe(false)
      const row = await onlyRowOf(model)
      const [request] = requestsFor(bad, model)
      expect(row).toMatchObject({ channel: channels[protocol].bad, completion_tokens: request!.sent.tokens })
      expect(adminInfoOf(row)).toMatchObject({ use_channel: [String(channels[protocol].bad)] })
      expect(requestsFor(good, model)).toHaveLength(0)
    },
  )
})

it('the sum of their bills equals the total bill', async () => {
  const rows = await Promise.all(cells.map(({ model }) => onlyRowOf(model)))
  const sum = rows.reduce((total, { quota }) => total + quota, 0)

  await expect.poll(async () => (await client.call(api.getSelf)).used_quota, SETTLED).toBe(sum)
  expect((await client.call(api.getSelf)).request_count).toBe(cells.length)
})

describe('after a ping has opened the stream', () => {
  beforeAll(async () => {
    await client.call(api.updateOption, { body: { key: 'general_setting.ping_interval_seconds', value: '1' } })
    await client.call(api.updateOption, { body: { key: 'general_setting.ping_interval_enabled', value: 'true' } })
  })

  it.concurrent.each(PROTOCOLS)(
    '%s: another channel still responds, and the client gets nothing else',
    async (protocol) => {
      const received = await sendChat(protocol, `pinged-${protocol}`, true)

      expect(received.raw.startsWith(FIRST_PING[protocol])).toBe(true)
      expect(received).toMatchObject({ text: RESPONSE, error: undefined, finish: CLIENTS[protocol].finishReasons.stop })
      expect(CLIENTS[protocol].endsWell(received.raw)).toBe(true)
    },
  )

  it.concurrent.each(PROTOCOLS)('%s: if none does, the stream ends with an error of the protocol', async (protocol) => {
    const received = await sendChat(protocol, `lost-${protocol}`, true)

    expect(received.raw.startsWith(FIRST_PING[protocol])).toBe(true)
    expect(received).toMatchObject({
      text: '',
      error: { message: expect.stringContaining('did not respond in time') },
    })
    expect(CLIENTS[protocol].isOwnError(received.error!)).toBe(true)
  })
})

const FIRST_PING: Record<Protocol, string> = {
  'openai-chat': ': PING\n\n',
  'openai-responses': ': PING\n\n',
  'anthropic-messages': 'event: ping\ndata: {"type":"ping"}\n\n',
  'gemini-generate': '\n',
  'gemini-interactions': ': PING\n\n',
}

function sendChat(protocol: Protocol, model: string, stream: boolean): Promise<ClientResponse> {
  const settings = { maxTokens: 50 }
  return CLIENTS[protocol].open({ url: server.url, key, model, stream, settings }).send({ text: 'When is high water?' })
}

function requestsFor(provider: FakeUpstream, model: string): ReceivedRequest[] {
  return provider.requests.filter((request) => isFor(request, model))
}

/** In the URL if the protocol has it there, else in the body. */
function isFor({ path, body }: ReceivedRequest, model: string): boolean {
  return path.includes(`/models/${model}:`) || (body as { model?: string } | undefined)?.model === model
}

/** The usage row of the only request for this model. */
async function onlyRowOf(model: string): Promise<api.UsageLog> {
  const query = { p: 1, page_size: 100, model_name: model, type: api.LOG_TYPE.consumption }
  const rows = async () => (await client.call(api.listLogs, { query })).items
  await until(async () => (await rows()).length > 0, SETTLED.timeout) // concurrent tests have no `expect.poll`
  const found = await rows()
  expect(found).toHaveLength(1)
  return found[0]!
}

function adminInfoOf({ other }: api.UsageLog): unknown {
  return (JSON.parse(other) as { admin_info: unknown }).admin_info
}

interface SilentProvider {
  readonly url: string
  close(): void
}

/** Starts a stream with an event without content and stays silent. */
async function startSilentProvider(): Promise<SilentProvider> {
  const provider = createServer((request, response) => {
    request.resume()
    const { event } = ROLE_ONLY.find(({ path }) => path.test(request.url ?? ''))!
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event)
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  return {
    url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    close() {
      provider.close()
      provider.closeAllConnections()
    },
  }
}

const ROLE_ONLY = [
  {
    path: /chat\/completions$/,
    event:
      'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
  },
  {
    path: /responses$/,
    event:
      'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"in_progress","output":[]}}\n\n',
  },
  {
    path: /messages$/,
    event:
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":5,"output_tokens":1}}}\n\n',
  },
  {
    path: /interactions$/,
    event:
      'event: interaction.created\ndata: {"event_type":"interaction.created","event_id":"e0","interaction":{"id":"v1_i","object":"interaction","model":"m","status":"in_progress"}}\n\n',
  },
  {
    path: /streamGenerateContent/,
    event: 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"index":0}],"modelVersion":"m"}\n\n',
  },
]
