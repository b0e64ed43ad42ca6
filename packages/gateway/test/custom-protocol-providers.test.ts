import type { Settings } from '@tidegate/contract'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestResponse, type TestGateway } from './support/gateway.ts'

/** Providers with a custom protocol, each with its own request details. */
const PROVIDERS = [
  {
    name: 'Dify',
    type: 37,
    key: 'app-key',
    path: '/v1/chat-messages',
    headers: { authorization: 'Bearer app-key' },
    body: { inputs: {}, user: expect.stringMatching(/^[0-9a-f]{32}$/) },
    counts: true,
    streams: true,
  },
  {
    name: 'Hunyuan',
    type: 23,
    key: '1250000000|AKIDtest|secret',
    path: '/',
    headers: {
      'x-tc-action': 'ChatCompletions',
      'x-tc-version': '2023-09-01',
      'x-tc-timestamp': expect.stringMatching(/^\d{10}$/),
      'content-type': 'application/json; charset=utf-8',
      authorization: expect.stringMatching(
        /^TC3-HMAC-SHA256 Credential=AKIDtest\/\d{4}-\d\d-\d\d\/hunyuan\/tc3_request, SignedHeaders=content-type;host, Signature=[0-9a-f]{64}$/,
      ),
    },
    body: { Model: 'providers-name' },
    counts: true,
    streams: true,
  },
  {
    name: 'Baidu',
    type: 15,
    key: 'ak|sk',
    path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/providers-name',
    headers: {},
    body: { system: 'Be brief.' },
    counts: true,
    streams: true,
  },
  {
    name: 'PaLM',
    type: 11,
    key: 'google-key',
    path: '/v1beta2/models/chat-bison-001:generateMessage',
    headers: { 'x-goog-api-key': 'google-key' },
    body: { prompt: { context: 'Be brief.', messages: expect.any(Array) as unknown } },
    counts: false,
    streams: false,
  },
] as const
const STREAMING = PROVIDERS.filter(({ streams }) => streams)

const MODEL = 'requested-model'
const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'good day' },
  { role: 'user', content: 'when is the tide?' },
]
const TOOLS = [{ type: 'function', function: { name: 'tide', parameters: { type: 'object', properties: {} } } }]

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

interface Provider {
  readonly type: number
  readonly key: string
}

/** A channel of the provider and, with a fallback, one of OpenAI's for when it fails. */
async function start(
  { type, key }: Provider,
  { fallback = false, settings, ...fields }: { fallback?: boolean; settings?: Partial<Settings> } = {},
) {
  const own = { type, keys: [key], baseUrl: upstream.url, models: [MODEL], priority: 9 }
  gateway = await startGateway({
    channels: [
      aChannel({ ...own, modelMapping: new Map([[MODEL, 'providers-name']]), ...fields }),
      ...(fallback ? [aChannel({ id: 2, baseUrl: upstream.url, models: [MODEL] })] : []),
    ],
    settings: {
      ModelRatio: { [MODEL]: 1, 'providers-name': 1 },
      CompletionRatio: { [MODEL]: 1, 'providers-name': 1 },
      RetryTimes: 1,
      ...settings,
    },
  })
}

function textOf({ data, json }: TestResponse): string {
  if (json) return json.choices[0].message.content
  return data.map((text) => (text === '[DONE]' ? '' : (JSON.parse(text).choices[0]?.delta.content ?? ''))).join('')
}

const attempts = () => gateway.events.flatMap((event) => (event.kind === 'attempt' ? event.outcome : []))
const lastRequest = () => upstream.requests.at(-1)!

describe.each(PROVIDERS)('$name', (provider) => {
  it.each([false, true])('serves a client of OpenAI, streamed: %s', async (stream) => {
    upstream.always({ text: 'The tide turns at noon.' })
    await start(provider)

    const response = await gateway.chat({ model: MODEL, messages: MESSAGES, stream })

    expect([response.status, textOf(response)]).toEqual([200, 'The tide turns at noon.'])
    if (stream) expect(response.data.at(-1)).toBe('[DONE]')
    else expect(response.json).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] })
    const { path, headers, body, sent } = lastRequest()
    expect(path).toBe(provider.path)
    expect(headers).toMatchObject(provider.headers)
    expect(body).toMatchObject(provider.body)
    const [settled] = gateway.credit.settled
    expect(settled?.usage.estimated).toBe(!provider.counts)
    if (provider.counts)
      expect(settled?.usage).toMatchObject({ input: sent.counts?.input, output: sent.counts?.output })
    else expect(settled!.usage.output).toBeGreaterThan(3)
    expect(settled?.log.other).toMatchObject({ upstream_model_name: 'providers-name' })
  })

  it.each([
    ['/v1/messages', { 'x-api-key': KEY }, { max_tokens: 500 }, 'content_block_delta'],
    ['/v1/responses', { authorization: `Bearer ${KEY}` }, {}, 'response.output_text.delta'],
  ])('serves a client of %s in its protocol', async (path, headers, more, event) => {
    upstream.always({ text: 'At noon.' })
    await start(provider)
    const body = { model: MODEL, stream: true, ...more }
    const input = path === '/v1/messages' ? { messages: MESSAGES.slice(1) } : { input: MESSAGES.slice(1) }

    const { status, text } = await gateway.send({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify({ ...body, ...input }),
    })

    expect(status).toBe(200)
    expect(text).toContain(`"type":"${event}"`)
    expect(text).toContain('noon')
  })

  it('returns the usage that a client requested, once', async () => {
    await start(provider)

    const body = { model: MODEL, messages: MESSAGES, stream: true, stream_options: { include_usage: true } }
    const { data } = await gateway.chat(body)

    expect(data.filter((text) => text.includes('total_tokens'))).toHaveLength(1)
  })

  it.each([
    [401, 'auth'],
    [429, 'rate'],
    [503, 'server'],
  ])('is skipped for another channel when a 200 contains an error like %i', async (status, outcome) => {
    upstream.when(({ form }) => form !== 'openai-chat', { errorInside: { status, message: 'not now' } })
    await start(provider, { fallback: true })

    const response = await gateway.chat({ model: MODEL, messages: MESSAGES, stream: true })

    expect([response.status, response.data.at(-1)]).toEqual([200, '[DONE]'])
    expect(attempts()).toEqual([outcome, 'served'])
    expect(lastRequest().form).toBe('openai-chat')
  })

  it('shows the whole error of the provider when there is no other channel', async () => {
    upstream.always({ errorInside: { status: 429, message: 'not now' } })
    await start(provider)

    const { status, json } = await gateway.chat({ model: MODEL, messages: MESSAGES })

    expect([status, json.error.message]).toEqual([429, expect.stringContaining('saturated')])
  })

  it("uses the operator's prompt and overrides, also with pass-through enabled", async () => {
    const fields = { systemPrompt: 'You are a lock keeper.', paramOverride: { extra: 7 } }
    await start(provider, { ...fields, settings: { 'global.pass_through_request_enabled': true } })

    await gateway.chat({ model: MODEL, messages: MESSAGES })

    expect(JSON.stringify(lastRequest().body)).toContain('You are a lock keeper.')
    expect(lastRequest().body).toMatchObject({ extra: 7 })
  })
})

describe.each(STREAMING)('a stream of $name', (provider) => {
  it('ends with an error when it breaks, and the received part is billed', async () => {
    upstream.always({ text: 'The tide turns at noon.', cut: { afterEvents: 4 } })
    await start(provider)

    const { data, status } = await gateway.chat({ model: MODEL, messages: MESSAGES, stream: true })

    expect(status).toBe(200)
    expect(JSON.parse(data.at(-1)!)).toHaveProperty('error.message')
    expect(gateway.credit.settled[0]?.usage).toMatchObject({ estimated: true })
    expect(gateway.credit.settled[0]!.usage.output).toBeGreaterThan(0)
  })

  it('ends with the error that it reports midway', async () => {
    upstream.always({ text: 'The tide turns at noon.', errorEvent: { afterEvents: 4, status: 500, message: 'sunk' } })
    await start(provider)

    const { data } = await gateway.chat({ model: MODEL, messages: MESSAGES, stream: true })

    expect(JSON.parse(data.at(-1)!).error.message).toContain('sunk')
  })

  it('is aborted when the client disconnects', async () => {
    upstream.always({ textLength: 500, stallAfterEvents: 6 })
    await start(provider)
    const { response, disconnect } = await gateway.open({ model: MODEL, messages: MESSAGES, stream: true })
    response.resume()

    disconnect()

    expect((await upstream.aborted(1)).sent.outcome).toBe('aborted')
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
  })

  it('is read for any split of its bytes', async () => {
    upstream.always({ text: '潮水在中午。', writeSizes: [1, 2, 3] })
    await start(provider)

    expect(textOf(await gateway.chat({ model: MODEL, messages: MESSAGES, stream: true }))).toBe('潮水在中午。')
  })
})

describe('tools', () => {
  const toolCall = { id: 'call_1', name: 'tide', arguments: '{"port":"Emden"}' }
  const body = { model: MODEL, messages: MESSAGES, tools: TOOLS }

  it.each([
    ['Hunyuan', 23, '1|AKID|secret', false],
    ['Hunyuan', 23, '1|AKID|secret', true],
    ['Baidu', 15, 'ak|sk', false],
    ['Baidu', 15, 'ak|sk', true],
  ] as const)('are called by %s (%i, %s), streamed: %s', async (_name, type, key, stream) => {
    upstream.always({ toolCalls: [toolCall] })
    await start({ type, key })

    const { json, data } = await gateway.chat({ ...body, stream })

    const choices = stream
      ? data.filter((text) => text !== '[DONE]').map((text) => JSON.parse(text).choices[0])
      : [json.choices[0]]
    const toolCalls = choices.flatMap((choice) => (choice?.delta ?? choice?.message)?.tool_calls ?? [])
    expect(toolCalls).toMatchObject([{ function: { name: toolCall.name, arguments: toolCall.arguments } }])
    expect(toolCalls[0].id).toMatch(/^call_/)
    expect(choices.at(-1)?.finish_reason ?? choices.at(-2)?.finish_reason).toBe('tool_calls')
  })

  it.each([
    ['Dify', 37, 'k'],
    ['PaLM', 11, 'k'],
  ] as const)('are rejected where %s has none, and sent to another channel', async (_name, type, key) => {
    await start({ type, key })
    const rejected = await gateway.chat(body)
    await gateway.close()
    await start({ type, key }, { fallback: true })

    const { status } = await gateway.chat(body)

    expect([rejected.status, rejected.json.error.code]).toEqual([400, 'convert_request_failed'])
    expect(rejected.json.error.message).toContain('tools')
    expect([status, lastRequest().form, attempts()]).toEqual([200, 'openai-chat', ['served']])
  })
})
