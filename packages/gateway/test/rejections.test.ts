import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallerRecord, ErrorLogRow } from '../src/ports/index.ts'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestResponse, type TestGateway } from './support/gateway.ts'

/** Texts and numbers that make clients retry, anywhere in the body. */
const RETRIED = /429|500|502|503|504|524|rate.limit|overloaded|server.error|try your request again|resource.exhausted/i

let upstream: FakeUpstream
const rows: ErrorLogRow[] = []
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
  gateway = await startGateway({
    settings: { ServerAddress: 'https://tide.example' },
    otherCallers: callers,
    recordError: (row) => rows.push(row),
    channels: [
      aChannel({ baseUrl: upstream.url, models: ['gpt-4o', 'unpriced-model'] }),
      aChannel({ id: 2, baseUrl: upstream.url, models: ['vip-model'], groups: ['vip'] }),
      aChannel({ id: 3, baseUrl: upstream.url, models: ['resting-model'], enabled: false }),
    ],
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const callers: Record<string, Partial<CallerRecord>> = {
  'sk-expired': { tokenStatus: 3 },
  'sk-disabled': { tokenStatus: 2 },
  'sk-exhausted': { unlimitedQuota: false, remainQuota: 0 },
  'sk-othergroup': { tokenGroup: 'svip' },
  'sk-limited': { modelLimitsEnabled: true, modelLimits: ['gpt-4'] },
}

interface Mistake {
  key?: string
  model?: string
  /** Changes the path of a correct request. */
  path?: (path: string) => string
  balance?: number
  headers?: Record<string, string>
}

interface Protocol {
  readonly path: (model: string) => string
  readonly credential: (key: string) => Record<string, string>
  readonly body: (model: string) => object
  /** Status and the fields that clients check. */
  readonly read: (response: TestResponse) => unknown[]
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const openai = {
  credential: bearer,
  read: ({ status, json: { error } }: TestResponse) => [status, error.type, error.code, error.param || null],
}
const PROTOCOLS = {
  chat: {
    ...openai,
    path: () => '/v1/chat/completions',
    body: (model: string) => ({ model, messages: [{ role: 'user', content: 'hi' }] }),
  },
  responses: { ...openai, path: () => '/v1/responses', body: (model: string) => ({ model, input: 'hi' }) },
  messages: {
    path: () => '/v1/messages',
    credential: (key: string) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: (model: string) => ({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    read: ({ status, json }: TestResponse) => [status, json.error.type],
  },
  gemini: {
    path: (model: string) => `/v1beta/models/${model}:generateContent`,
    credential: (key: string) => ({ 'x-goog-api-key': key }),
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
    read: ({ status, json: { error } }: TestResponse) => [status, error.status, error.code],
  },
  interactions: {
    path: () => '/v1beta/interactions',
    credential: (key: string) => ({ 'x-goog-api-key': key }),
    body: (model: string) => ({ model, input: 'hi' }),
    read: ({ status, json: { error } }: TestResponse) => [status, error.status, error.code],
  },
} satisfies Record<string, Protocol>
type ProtocolName = keyof typeof PROTOCOLS

function send(name: ProtocolName, mistake: Mistake = {}): Promise<TestResponse> {
  const { key = KEY, model = 'gpt-4o', path = (original) => original, balance = 1_000_000, headers } = mistake
  const protocol: Protocol = PROTOCOLS[name]
  gateway.credit.balance = balance
  return gateway.send({
    method: 'POST',
    path: path(protocol.path(model)),
    headers: { 'content-type': 'application/json', ...(key !== '' && protocol.credential(key)), ...headers },
    body: JSON.stringify(protocol.body(model)),
  })
}

const NOT_FOUND = {
  openai: [404, 'invalid_request_error', 'model_not_found', 'model'],
  messages: [404, 'not_found_error'],
}
const NOT_ALLOWED = {
  openai: [403, 'invalid_request_error', 'model_not_found', 'model'],
  messages: [404, 'not_found_error'],
  gemini: [403, 'PERMISSION_DENIED', 403],
}
const WRONG_KEY = {
  openai: [401, 'invalid_request_error', 'invalid_api_key', null],
  messages: [401, 'authentication_error'],
  gemini: [400, 'INVALID_ARGUMENT', 400],
}
const NO_BALANCE = {
  openai: [402, 'insufficient_quota', 'insufficient_quota', null],
  messages: [402, 'billing_error'],
  gemini: [403, 'PERMISSION_DENIED', 403],
}
const GEMINI_NOT_FOUND = [404, 'NOT_FOUND', 404]
/** Rejected before the token is looked up, or without a known one. */
const UNAUTHENTICATED_CODES = new Set(['api_key_missing', 'api_key_invalid', 'api_key_mistyped', 'wrong_base_url'])
const withoutVersion = (path: string) => path.replace(/^\/v1(beta)?/, '')

/** Which protocols have the errors of another one. */
const FORMS = {
  chat: 'openai',
  responses: 'openai',
  messages: 'messages',
  gemini: 'gemini',
  interactions: 'gemini',
} as const satisfies Record<ProtocolName, keyof Row['form']>

interface Row {
  readonly name: string
  readonly mistake: Mistake
  /** The gateway's own code, which the header names. */
  readonly code: string
  readonly form: { readonly openai: unknown[]; readonly messages: unknown[]; readonly gemini: unknown[] }
  /** The advice of the message. */
  readonly advice: RegExp
}

const ROWS: Row[] = [
  {
    name: 'an unknown model',
    mistake: { model: 'nope-model' },
    code: 'model_not_found',
    form: { ...NOT_FOUND, gemini: GEMINI_NOT_FOUND },
    advice: /nope-model does not exist on this site. GET \/v1\/models lists/,
  },
  {
    name: 'a known model whose channels are all disabled',
    mistake: { model: 'resting-model' },
    code: 'no_channel',
    form: { ...NOT_FOUND, gemini: GEMINI_NOT_FOUND },
    advice: /resting-model is out of service .* contact the operator/,
  },
  {
    name: 'a model of another group',
    mistake: { model: 'vip-model' },
    code: 'model_not_in_group',
    form: NOT_ALLOWED,
    advice: /choose another group/,
  },
  {
    name: 'a model that the token may not use',
    mistake: { key: 'sk-limited' },
    code: 'model_not_allowed',
    form: NOT_ALLOWED,
    advice: /change the model limits of the token/,
  },
  {
    name: 'a group that the user may not use',
    mistake: { key: 'sk-othergroup' },
    code: 'group_not_allowed',
    form: NOT_ALLOWED,
    advice: /Choose another group for the API token/,
  },
  {
    name: 'a model without a price',
    mistake: { model: 'unpriced-model' },
    code: 'model_price_error',
    form: NOT_ALLOWED,
    advice: /not published a price for it. Use another model/,
  },
  {
    name: 'an empty balance',
    mistake: { balance: 0 },
    code: 'insufficient_user_quota',
    form: NO_BALANCE,
    advice: /Top up your balance/,
  },
  {
    name: 'a token without quota',
    mistake: { key: 'sk-exhausted' },
    code: 'api_key_exhausted',
    form: NO_BALANCE,
    advice: /Raise it on the Tokens page/,
  },
  { name: 'no token', mistake: { key: '' }, code: 'api_key_missing', form: WRONG_KEY, advice: /Set the API key/ },
  {
    name: 'an unknown token',
    mistake: { key: 'sk-unknown' },
    code: 'api_key_invalid',
    form: WRONG_KEY,
    advice: /Copy it again/,
  },
  {
    name: 'a mistyped token',
    mistake: { key: `sk-tg_${'a'.repeat(45)}` },
    code: 'api_key_mistyped',
    form: WRONG_KEY,
    advice: /Copy it again/,
  },
  {
    name: 'an expired token',
    mistake: { key: 'sk-expired' },
    code: 'api_key_expired',
    form: WRONG_KEY,
    advice: /Extend it or create a new one/,
  },
  {
    name: 'a disabled token',
    mistake: { key: 'sk-disabled' },
    code: 'api_key_disabled',
    form: WRONG_KEY,
    advice: /Enable it on the Tokens page/,
  },
  {
    name: 'a base URL without its version',
    mistake: { path: withoutVersion },
    code: 'wrong_base_url',
    form: {
      openai: [404, 'invalid_request_error', 'wrong_base_url', null],
      messages: [404, 'not_found_error'],
      gemini: GEMINI_NOT_FOUND,
    },
    advice: /Set the base URL of your client to https:\/\/tide\.example\/v1(beta)?\./,
  },
]

describe.each(Object.keys(PROTOCOLS) as ProtocolName[])('%s', (name) => {
  const formOf = ({ form }: Row) => form[FORMS[name]]

  it.each(ROWS)('rejects $name at once', async (row) => {
    const before = upstream.requests.length
    const response = await send(name, row.mistake)

    expect(PROTOCOLS[name].read(response)).toEqual(formOf(row))
    expect(response.headers).toMatchObject({ 'x-should-retry': 'false', 'x-tidegate-error': row.code })
    expect(response.headers['retry-after']).toBeUndefined()
    expect(response.json.error.message).toMatch(row.advice)
    const requestId = String(response.headers['x-request-id'])
    expect(requestId).toMatch(/^req-\d+$/)
    expect(response.text).not.toContain(requestId)
    expect(response.text).not.toMatch(RETRIED)
    expect(upstream.requests).toHaveLength(before)
    const isKnown = !UNAUTHENTICATED_CODES.has(row.code)
    expect(rows.find(({ requestId: id }) => id === requestId)).toMatchObject({
      userId: isKnown ? 7 : 0,
      tokenName: isKnown ? 'laptop' : '',
      channelId: 0,
      content: expect.stringMatching(row.advice),
      other: { rejected: true, error_code: row.code, status_code: response.status },
    })
  })
})

it.each([
  ['/v1/models/nope-model', {}, ['invalid_request_error', 'model_not_found']],
  ['/v1/models/nope-model', { 'anthropic-version': '2026-10-21' }, ['not_found_error', 'model_not_found']],
  ['/v1beta/models/nope-model', {}, [undefined, 404]],
])('rejects an unknown model of the model list at once: GET %s %j', async (path, headers, fields) => {
  const { status, json, headers: sent } = await gateway.send({ path, headers: { ...bearer(KEY), ...headers } })

  expect([status, json.error.type, json.error.code]).toEqual([404, ...fields])
  expect(sent).toMatchObject({ 'x-should-retry': 'false', 'x-tidegate-error': 'model_not_found' })
})

describe('clients with a form of their own', () => {
  it('stops Codex with 429 and the code of an empty balance', async () => {
    for (const name of ['chat', 'responses'] as const) {
      const response = await send(name, { balance: 0, headers: { originator: 'codex_cli_rs' } })

      expect(openai.read(response)).toEqual([429, 'insufficient_quota', 'insufficient_quota', null])
      expect(response.headers).toMatchObject({ 'x-should-retry': 'false' })
      expect(response.headers['retry-after']).toBeUndefined()
    }
  })

  it('makes Claude Code print the sentence about an empty balance', async () => {
    const response = await send('messages', { balance: 0, headers: { 'user-agent': 'claude-cli/2.1.325 (external)' } })

    expect(PROTOCOLS.messages.read(response)).toEqual([429, 'billing_error'])
    expect(response.headers).toMatchObject({
      'x-should-retry': 'false',
      'retry-after': expect.stringMatching(/^\d+$/),
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-overage-disabled-reason': 'org_spend_cap_reached',
    })
    expect(response.json.error.message).toMatch(/^Your balance is too low/)
    expect(response.json).not.toHaveProperty('request_id')
  })

  it('makes Codex use HTTP at once where a proxy removes the upgrade to a WebSocket', async () => {
    const response = await gateway.send({ path: '/v1/responses', headers: bearer(KEY) })

    expect([response.status, response.code]).toEqual([426, 'websocket_not_supported'])
    expect(response.headers['x-should-retry']).toBe('false')
    expect(response.json.error.message).toContain('POST /v1/responses')
  })

  it.each(['gemini', 'interactions'] as const)("names Google's reason for a wrong API key: %s", async (name) => {
    const { json } = await send(name, { key: 'sk-unknown' })

    expect(json.error.details.map(({ reason }: { reason: string }) => reason)).toContain('API_KEY_INVALID')
  })
})

describe('base URLs that are accepted as they are', () => {
  it.each([
    ['chat', '/v1/v1/chat/completions'],
    ['responses', '/v1/v1/responses'],
    ['messages', '/v1/v1/messages'],
    ['gemini', '/v1/v1beta/models/gpt-4o:generateContent'],
    ['gemini', '/v1/models/gpt-4o:generateContent'],
    ['interactions', '/v1/v1beta/interactions'],
    ['interactions', '/v1/interactions'],
  ] as const)('%s at %s', async (name, path) => {
    const response = await send(name, { path: () => path, model: 'gpt-4o' })

    expect(response.status).toBe(200)
  })

  it('explains a base URL that contains a whole path', async () => {
    const response = await send('chat', { path: (path) => `${path}/chat/completions` })

    expect([response.status, response.headers['x-tidegate-error']]).toEqual([404, 'wrong_base_url'])
  })

  it('explains the missing version to a client that lists models, but not to browsers', async () => {
    const response = await gateway.send({ path: '/models', headers: bearer(KEY) })

    expect([response.status, response.headers['x-tidegate-error']]).toEqual([404, 'wrong_base_url'])
    const send = (headers: Record<string, string>) =>
      gateway.gateway.matches({ method: 'GET', url: '/models', headers })
    expect([send(bearer(KEY)), send({ accept: 'text/html' })]).toEqual([true, false])
    expect(gateway.gateway.matches({ method: 'POST', url: '/api/messages', headers: {} })).toBe(false)
  })
})

describe('records of rejected requests', () => {
  const sendAndFindRow = async (mistake: Mistake) => {
    const { headers } = await send('chat', mistake)
    return rows.find(({ requestId }) => requestId === headers['x-request-id'])
  }

  it.each([
    ['resting-model', [{ channelId: 3, reason: 'disabled' }]],
    ['vip-model', [{ channelId: 2, reason: 'other-group' }]],
    ['unpriced-model', [{ channelId: 1, reason: 'no-price' }]],
  ])('name why each channel of %s was skipped', async (model, passedOver) => {
    const row = await sendAndFindRow({ model })

    expect(row).toMatchObject({
      modelName: model,
      group: 'default',
      other: { admin_info: { decision: { passedOver } } },
    })
  })

  it('have the missing amount of an empty balance for administrators', async () => {
    const row = await sendAndFindRow({ balance: 0 })

    expect(row!.other).toMatchObject({ admin_info: { details: { needed: expect.any(Number) } } })
  })

  it('have the steps and the routing decision before the rejection', async () => {
    const row = await sendAndFindRow({ balance: 0 })

    expect(row!.other).toMatchObject({
      timing: { authenticate: expect.any(Number), prompt: expect.any(Number), route: expect.any(Number) },
      admin_info: { decision: { candidates: 1 } },
    })
    expect(row!.other['timing']).not.toHaveProperty('credit')
  })

  it('are not written while error logs are off', async () => {
    const silent: ErrorLogRow[] = []
    const site = await startGateway({
      channels: [],
      settings: { LogErrorEnabled: false },
      recordError: (row) => silent.push(row),
    })

    expect((await site.chat({ model: 'nope', messages: [{ role: 'user', content: 'hi' }] })).status).toBe(404)
    expect(silent).toEqual([])
    await site.close()
  })
})
