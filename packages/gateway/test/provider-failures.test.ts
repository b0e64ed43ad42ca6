import { generateKeyPairSync } from 'node:crypto'
import { fakeUpstream, type FakeUpstream, type Script } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorLogRow, ImplausibleUsage } from '../src/ports/index.ts'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let other: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
  other = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  await gateway.close()
  await upstream.close()
  await other.close()
})

const start = async (options: Partial<Parameters<typeof startGateway>[0]> = {}) => {
  const otherCallers = { [OTHER_KEY]: { userId: 8, tokenId: 71 } }
  gateway = await startGateway({ channels: [aChannel({ baseUrl: upstream.url })], otherCallers, ...options })
}
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'good morning' }] }
const OTHER_KEY = 'sk-zyxwvutsrqponmlkjihgfedcba'
const asOther = { authorization: `Bearer ${OTHER_KEY}` }
const post = (path: string, body: object) =>
  gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('a response without content that has a finish reason', () => {
  const empty: Script = { text: '', usage: { prompt_tokens: 4000, completion_tokens: 0 } }

  it.each([
    ['whole', chat],
    ['streamed', { ...chat, stream: true }],
  ])('is forwarded and billed, %s', async (_form, body) => {
    upstream.next(empty)
    await start()

    const response = await gateway.chat(body)

    expect(response.status).toBe(200)
    expect(response.text).toContain('"finish_reason":"stop"')
    expect(gateway.credit.settled).toMatchObject([{ usage: { input: 4000, estimated: false } }])
    expect(gateway.credit.settled[0]!.receipt.quota).toBe(5000)
    expect(upstream.requests).toHaveLength(1)
  })

  it('is a stream in a converted protocol too', async () => {
    upstream.next(empty)
    await start()

    const response = await post('/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', {
      contents: [{ role: 'user', parts: [{ text: 'good morning' }] }],
    })

    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/event-stream'])
    expect(response.text).toContain('"finishReason":"STOP"')
  })

  it('does not count against the channel when one user repeats it', async () => {
    upstream.next(...Array.from({ length: 20 }, () => empty))
    await start()

    for (let count = 0; count < 20; count += 1) await gateway.chat(chat)

    expect((await gateway.chat(chat, asOther)).status).toBe(200)
    expect(gateway.credit.settled).toHaveLength(21)
  })
})

describe('failures that one user causes', () => {
  const fails: Script = { status: 500, body: { error: { message: 'prompt breaks the server' } } }

  it('do not block the model for another user', async () => {
    upstream.next(...Array.from({ length: 12 }, () => fails))
    await start({ settings: { RetryTimes: 0 } })

    for (let count = 0; count < 12; count += 1) await gateway.chat(chat)

    expect((await gateway.chat(chat, asOther)).status).toBe(200)
  })

  it('open the circuit once another user has them too', async () => {
    upstream.always(fails)
    await start({ settings: { RetryTimes: 0 } })

    for (let count = 0; count < 5; count += 1) await gateway.chat(chat)
    await gateway.chat(chat, asOther)
    const { status, json, code } = await gateway.chat(chat, asOther)

    expect([status, json.error.code, code]).toEqual([503, 'server_is_overloaded', 'channels_cooling_down'])
  })
})

describe('an unfinished response', () => {
  it('cannot be requested: background mode is rejected before a provider is called', async () => {
    await start()

    const { status, json } = await post('/v1/responses', { model: 'gpt-4o', input: 'hi', background: true })

    expect(status).toBe(400)
    expect(json.error.message).toContain('background')
    expect([upstream.requests.length, gateway.credit.entries.length]).toEqual([0, 0])
  })

  it.each(['queued', 'in_progress'])('is not billed as a finished one: %s', async (status) => {
    upstream.always({ body: { id: 'resp_1', object: 'response', status, output: [], usage: null } })
    await start({ settings: { RetryTimes: 0 } })

    const response = await post('/v1/responses', { model: 'gpt-4o', input: 'hi' })

    expect(response.status).toBe(502)
    expect(gateway.credit.states()).toEqual(['released'])
  })
})

describe('a new site with default settings', () => {
  it('serves every request while one of two channels is down, and records the failures', async () => {
    const rows: ErrorLogRow[] = []
    upstream.always({ status: 500 })
    await start({
      channels: [
        aChannel({ id: 1, baseUrl: upstream.url, priority: 10 }),
        aChannel({ id: 2, baseUrl: other.url, priority: 0 }),
      ],
      recordError: (row) => void rows.push(row),
    })

    const responses = await Promise.all(Array.from({ length: 10 }, () => gateway.chat(chat)))

    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('a provider that rejects the account of the channel', () => {
  const details = 'Your organization org-4711 (billing@operator.example) has no access'

  it.each([401, 402, 403])(
    'becomes a 503 for clients when it returns %i, without details of the account',
    async (status) => {
      upstream.always({ status, body: { error: { message: details, code: 'x' } } })
      await start({ settings: { RetryTimes: 0 } })

      const response = await gateway.chat(chat)

      expect([response.status, response.json.error.code]).toEqual([503, 'upstream_account_error'])
      expect(response.text).not.toMatch(/org-4711|operator\.example/)
    },
  )

  it('within a stream ends it without details of the account', async () => {
    const error = { message: details, type: 'upstream_error', code: 402 }
    upstream.next({ text: 'one two three four five six', errorEvent: { afterEvents: 4, data: { error } } })
    await start()

    const response = await gateway.chat({ ...chat, stream: true })

    expect(response.data.at(-1)).toContain('upstream_account_error')
    expect(response.text).not.toMatch(/org-4711|operator\.example/)
  })

  it('keeps the status that the operator maps it to', async () => {
    upstream.always({ status: 401, body: { error: { message: details } } })
    await start({
      channels: [aChannel({ baseUrl: upstream.url, statusCodeMapping: new Map([[401, 418]]) })],
      settings: { RetryTimes: 0 },
    })

    const response = await gateway.chat(chat)

    expect(response.status).toBe(418)
    expect(response.text).not.toContain('org-4711')
  })
})

describe('a channel that only the operator can repair', () => {
  const messages = [{ role: 'user', content: 'hi' }]
  const start401 = async () => {
    upstream.always({ status: 401, body: { error: { message: 'Incorrect API key provided.' } } })
    await start()
  }

  it('stops agents at the first response, also while its circuit is open', async () => {
    await start401()

    // The provider rejects the first request. The open circuit rejects the others.
    for (let turn = 0; turn < 2; turn += 1) {
      const anthropic = await post('/v1/messages', { model: 'gpt-4o', max_tokens: 5, messages })
      const gemini = await post('/v1beta/models/gpt-4o:generateContent', { contents: [{ parts: [{ text: 'hi' }] }] })

      expect([anthropic.status, anthropic.json.error.type]).toEqual([503, 'api_error'])
      const reasons = gemini.json.error.details.map(({ reason }: { reason: string }) => reason)
      expect([gemini.status, reasons]).toEqual([503, expect.arrayContaining(['MODEL_CAPACITY_EXHAUSTED'])])
      for (const { headers } of [anthropic, gemini]) {
        expect(headers).toMatchObject({ 'x-should-retry': 'false', 'x-tidegate-error': 'upstream_account_error' })
        expect(headers['retry-after']).toBeUndefined()
      }
    }
    expect(upstream.requests).toHaveLength(1)
  })

  it('gives Codex the code that it retries only five times', async () => {
    await start401()

    const { status, json } = await gateway.chat(chat, { originator: 'codex_cli_rs' })

    expect([status, json.error.code]).toEqual([503, 'server_is_overloaded'])
  })

  it('is retried while another channel may recover', async () => {
    upstream.always({ status: 401, body: { error: { message: 'Incorrect API key provided.' } } })
    other.always({ status: 503 })
    await start({
      settings: { RetryTimes: 0 },
      channels: [
        aChannel({ id: 1, baseUrl: upstream.url, priority: 10 }),
        aChannel({ id: 2, baseUrl: other.url, priority: 0 }),
      ],
    })
    for (let count = 0; count < 12; count += 1) await gateway.chat(chat, count % 2 ? asOther : {})

    const { status, headers, code } = await gateway.chat(chat)

    expect([status, code, headers['x-should-retry']]).toEqual([503, 'channels_cooling_down', undefined])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('a prompt that is too long for the provider', () => {
  const CHAT = 1
  const CLAUDE = 14
  const GEMINI = 24
  const messages = [{ role: 'user', content: 'hi' }]
  const clients = {
    chat: () => gateway.chat({ ...chat, model: 'claude-opus-5' }),
    messages: () => post('/v1/messages', { model: 'claude-opus-5', max_tokens: 5, messages }),
    gemini: () =>
      post('/v1beta/models/claude-opus-5:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
  }
  const says = async (type: number, error: object, settings = {}) => {
    upstream.always({ status: 400, body: { error } })
    await start({ settings, channels: [aChannel({ type, baseUrl: upstream.url, models: ['claude-opus-5'] })] })
  }
  const OPENAI = {
    message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  }
  const ANTHROPIC = { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' }
  const GOOGLE = {
    code: 400,
    message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    status: 'INVALID_ARGUMENT',
  }

  it.each([
    ['OpenAI', CHAT, OPENAI, 'prompt is too long: 140000 tokens > 128000 maximum'],
    ['Google', GEMINI, GOOGLE, 'prompt is too long: 1200000 tokens > 1048576 maximum'],
    ['Anthropic', CLAUDE, ANTHROPIC, ANTHROPIC.message],
    [
      'another provider',
      CHAT,
      { message: 'Input is too long for requested model.' },
      'prompt is too long: Input is too long for requested model.',
    ],
  ])('makes Claude Code compact: %s', async (_provider, type, error, message) => {
    await says(type, error)

    const { status, json, headers } = await clients.messages()

    expect([status, json.error]).toEqual([400, expect.objectContaining({ type: 'invalid_request_error', message })])
    expect(headers['x-should-retry']).toBe('false')
  })

  it('has the code of OpenAI for its clients, and the sentence of Google for its clients', async () => {
    await says(CLAUDE, ANTHROPIC)

    const [openai, gemini] = [await clients.chat(), await clients.gemini()]

    expect([openai.status, openai.json.error]).toMatchObject([
      400,
      { type: 'invalid_request_error', code: 'context_length_exceeded' },
    ])
    expect(openai.json.error.message).toMatch(/^Your input exceeds the context window of this model\./)
    expect([gemini.status, gemini.json.error.message]).toEqual([
      400,
      'The input token count (208310) exceeds the maximum number of tokens allowed (200000).',
    ])
  })

  it('is forwarded unchanged to a client of the same protocol', async () => {
    await says(CHAT, OPENAI)

    expect((await clients.chat()).json.error).toMatchObject(OPENAI)
  })

  it.each([
    ['another provider', CHAT, OPENAI, 'prompt is too long: 140000 tokens > 128000 maximum'],
    ['the same provider', CLAUDE, ANTHROPIC, ANTHROPIC.message],
  ])('is recognized although messages of providers are hidden: %s', async (_provider, type, error, message) => {
    await says(type, error, { 'global.hide_upstream_error_enabled': true })

    expect((await clients.messages()).json.error.message).toBe(message)
  })

  it('is not confused with another client error', async () => {
    await says(CHAT, { message: 'Invalid value: temperature', type: 'invalid_request_error', code: 'invalid_value' })

    expect((await clients.messages()).json.error.message).toBe('Invalid value: temperature')
  })
})

describe('a key that cannot be used', () => {
  const VERTEX = 41
  const account = (private_key: string) =>
    JSON.stringify({ project_id: 'p', client_email: 'a@b', private_key, token_uri: `${upstream.url}/token` })

  it('is a failed attempt: another channel serves the request', async () => {
    const rows: ErrorLogRow[] = []
    const disabled: object[] = []
    await start({
      settings: { AutomaticDisableChannelEnabled: true },
      recordError: (row) => rows.push(row),
      disable: (failed) => disabled.push(failed),
      channels: [
        aChannel({ id: 1, type: VERTEX, baseUrl: upstream.url, keys: [account('not a key')], priority: 10 }),
        aChannel({ id: 2, baseUrl: other.url }),
      ],
    })

    const response = await gateway.chat(chat)

    expect(response.status).toBe(200)
    expect(gateway.events.filter(({ kind }) => kind === 'attempt')).toMatchObject([
      { channelId: 1, outcome: 'auth' },
      { channelId: 2, outcome: 'served' },
    ])
    expect(rows).toMatchObject([{ requestId: 'req-1', channelId: 1, other: { error_code: 'upstream_account_error' } }])
    expect(disabled).toMatchObject([{ channelId: 1 }])
  })

  it('is a 503 when there is no other channel, without any part of the key', async () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    await start({ channels: [aChannel({ type: VERTEX, baseUrl: upstream.url, keys: [account(privateKey)] })] })

    const { status, json } = await gateway.chat(chat)

    expect([status, json.error.code]).toEqual([503, 'upstream_account_error'])
    expect(gateway.credit.states()).toEqual(['released'])
  })
})

describe('an unexpected error while a request is prepared', () => {
  /** Reading it throws, like a bug in our code. */
  const withThrowingOverride = (channel: ReturnType<typeof aChannel>) => ({
    ...channel,
    get paramOverride(): never {
      throw new TypeError('a mistake of ours')
    },
  })

  it('is a failed attempt of the channel, with a log row', async () => {
    const rows: ErrorLogRow[] = []
    await start({
      recordError: (row) => rows.push(row),
      channels: [
        withThrowingOverride(aChannel({ id: 1, baseUrl: upstream.url, priority: 10 })),
        aChannel({ id: 2, baseUrl: other.url }),
      ],
    })

    expect((await gateway.chat(chat)).status).toBe(200)
    expect(rows).toMatchObject([{ requestId: 'req-1', channelId: 1 }])
  })
})

describe('usage that a model cannot have used', () => {
  const flagged: ImplausibleUsage[] = []
  const flag = (failed: ImplausibleUsage) => void flagged.push(failed)

  it.each([
    ['more input than its context', { prompt_tokens: 4e15, completion_tokens: 3 }],
    ['more output than its context', { prompt_tokens: 3, completion_tokens: 5_000_000 }],
    ['a little more than its context', { prompt_tokens: 200_000, completion_tokens: 3 }],
  ])('is not billed: %s', async (_name, usage) => {
    flagged.length = 0
    upstream.next({ text: 'Hi there', usage })
    await start({ flag })

    const response = await gateway.chat({ ...chat, stream: true })

    expect(response.data.at(-1)).toBe('[DONE]')
    const [settlement] = gateway.credit.settled
    expect(settlement!.usage).toMatchObject({ estimated: true })
    expect(settlement!.usage.input).toBeLessThan(50)
    expect(settlement!.usage.output).toBeLessThan(50)
    const reported = usage.prompt_tokens + usage.completion_tokens
    expect(settlement!.log.other).toMatchObject({ implausible_tokens: reported })
    expect(flagged).toMatchObject([{ channelId: 1, model: 'gpt-4o', reportedTokens: reported }])
    expect(gateway.events).toContainEqual({ kind: 'implausible-usage', channelId: 1, model: 'gpt-4o' })
  })

  it('is not billed when it reports more tool uses than a response can have', async () => {
    flagged.length = 0
    const usage = { input_tokens: 10, output_tokens: 3, server_tool_use: { web_search_requests: 1e12 } }
    upstream.next({
      body: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-5',
        content: [{ type: 'text', text: 'Hi' }],
        stop_reason: 'end_turn',
        usage,
      },
    })
    await start({ flag, channels: [aChannel({ type: 14, baseUrl: upstream.url, models: ['claude-opus-5'] })] })

    const response = await post('/v1/messages', {
      model: 'claude-opus-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    })

    expect(response.status).toBe(200)
    expect(gateway.credit.settled).toMatchObject([{ usage: { estimated: true } }])
    expect(gateway.credit.settled[0]!.receipt.quota).toBeLessThan(5000)
    expect(flagged).toHaveLength(1)
  })

  it('may exceed the context when the provider runs tools', async () => {
    flagged.length = 0
    upstream.next({ text: 'Hi', usage: { prompt_tokens: 300_000, completion_tokens: 3 } })
    await start({
      flag,
      settings: { ModelRates: { 'gpt-4o': { rates: { input: 2.5, output: 10 }, fees: { webSearch: 0.01 } } } },
    })

    await gateway.chat({ ...chat, tools: [{ type: 'web_search' }] })

    expect(gateway.credit.settled).toMatchObject([{ usage: { input: 300_000, estimated: false } }])
    expect(flagged).toEqual([])
  })
})
