import { type IncomingHttpHeaders, request } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setBalance } from '../../scenarios/books.ts'
import { ERROR_PROTOCOLS, type ErrorProtocol } from './protocols.ts'
import { AWAY, CANARIES, modelOf, openErrorSite, type ErrorSite, type FailureKind } from './site.ts'
import { sharedSite } from '../shared-site.ts'

const shared = sharedSite()
let site: ErrorSite
beforeAll(async () => {
  site = await openErrorSite(shared)
})
afterAll(() => site?.upstream.close())

interface ApiError {
  name: string
  status: number | StatusByProtocol
  code: string
  send(protocol: ErrorProtocol): Partial<RequestOptions>
}

/** Statuses that differ by protocol. */
interface StatusByProtocol {
  openai: number
  messages: number
  gemini: number
}

const WRONG_KEY: StatusByProtocol = { openai: 401, messages: 401, gemini: 400 }
const NOT_ALLOWED: StatusByProtocol = { openai: 403, messages: 404, gemini: 403 }
const NO_CREDIT: StatusByProtocol = { openai: 402, messages: 402, gemini: 403 }

interface RequestOptions {
  path: string
  headers: Record<string, string>
  body: string
}

const MEGABYTE = 1024 ** 2
const sendToFailing = (failure: FailureKind) => (protocol: ErrorProtocol) =>
  ofModel(protocol, modelOf(failure, protocol))

/** Everything that can be wrong with a request, one thing at a time. */
const API_ERRORS: ApiError[] = [
  { name: 'no key', status: WRONG_KEY, code: 'api_key_missing', send: () => ({ headers: {} }) },
  {
    name: 'a wrong key',
    status: WRONG_KEY,
    code: 'api_key_invalid',
    send: (protocol) => withKey(protocol, 'sk-unknown'),
  },
  {
    name: 'a disabled key',
    status: WRONG_KEY,
    code: 'api_key_disabled',
    send: (protocol) => withKey(protocol, site.keys.disabled),
  },
  {
    name: 'an expired key',
    status: WRONG_KEY,
    code: 'api_key_expired',
    send: (protocol) => withKey(protocol, site.keys.expired),
  },
  {
    name: 'a model the key may not use',
    status: NOT_ALLOWED,
    code: 'model_not_allowed',
    send: (protocol) => withKey(protocol, site.keys.limitedModels),
  },
  {
    name: 'a model without a channel',
    status: 404,
    code: 'model_not_found',
    send: (protocol) => ofModel(protocol, 'unknown-model'),
  },
  {
    name: 'more requests than the key allows',
    status: 429,
    code: 'token_rate_limited',
    send: (protocol) => withKey(protocol, site.keys.limitedCalls),
  },
  {
    name: 'a key without enough quota',
    status: NO_CREDIT,
    code: 'pre_consume_token_quota_failed',
    send: (protocol) => withKey(protocol, site.keys.poor),
  },
  { name: 'a body that is not JSON', status: 400, code: 'invalid_json', send: () => ({ body: '{"model":' }) },
  {
    name: 'a body that is too large',
    status: 413,
    code: 'body_too_large',
    send: (protocol) => ({ body: JSON.stringify(protocol.body('x', 'a'.repeat(33 * MEGABYTE))) }),
  },
  {
    name: 'a body that is too deep',
    status: 400,
    code: 'body_too_complex',
    send: (protocol) => ({ body: protocol.deepBody(modelOf('fine', protocol), '['.repeat(9000) + ']'.repeat(9000)) }),
  },
  { name: 'a body without required fields', status: 400, code: 'invalid_text_request', send: withoutPrompt },
  {
    name: 'a sensitive word',
    status: 400,
    code: 'sensitive_words_detected',
    send: (protocol) => ({
      body: JSON.stringify(protocol.body(modelOf('fine', protocol), 'it is a FORBIDDEN-word, no?')),
    }),
  },
  {
    name: 'a provider that rejects the key',
    status: 503,
    code: 'upstream_account_error',
    send: sendToFailing('upstream-401'),
  },
  {
    name: 'a provider that is busy',
    status: 429,
    code: 'bad_response_status_code',
    send: sendToFailing('upstream-429'),
  },
  { name: 'a provider that fails', status: 500, code: 'bad_response_status_code', send: sendToFailing('upstream-500') },
  {
    name: 'a provider that fails with a mapped status',
    status: 503,
    code: 'bad_response_status_code',
    send: sendToFailing('upstream-mapped'),
  },
  {
    name: 'a provider that is unreachable',
    status: 502,
    code: 'upstream_failed',
    send: sendToFailing('upstream-away'),
  },
  {
    name: 'an unknown path',
    status: 404,
    code: 'not_found',
    send: ({ unknownPath }) => ({ path: unknownPath }),
  },
]

describe.each(ERROR_PROTOCOLS)('$name', (protocol) => {
  it('serves a valid request', async () => {
    expect((await send(protocol)).status).toBe(200)
  })

  it.each(API_ERRORS)('rejects in the format of the protocol: $name', async (apiError) => {
    // Its key may make one request, which the first test uses.
    if (apiError.code === 'token_rate_limited') await send(protocol, apiError.send(protocol))

    const rejected = await send(protocol, apiError.send(protocol))

    expectApiError(protocol, rejected, apiError)
    if (rejected.status === 429 && apiError.code === 'token_rate_limited') {
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  it('rejects a stream with an HTTP status while nothing was sent', async () => {
    const rejected = await send(protocol, streamRequest(protocol, modelOf('upstream-500', protocol)))

    expectApiError(protocol, rejected, { status: 500, code: 'bad_response_status_code' })
  })
})

describe('the request id of a rejection', () => {
  const isStrange = (code: string) => ['api_key_missing', 'api_key_invalid', 'not_found'].includes(code)
  const rejected = API_ERRORS.filter(({ name }) => !name.startsWith('a provider'))

  it.each(rejected)('leads to an explanation: $name', async ({ send: request, code }) => {
    const [protocol] = ERROR_PROTOCOLS
    const { headers } = await send(protocol!, request(protocol!))
    const query = { request_id: String(headers['x-request-id']) }
    const read = (client: ApiClient, endpoint: typeof api.getRequestTrail | typeof api.getOwnRequestTrail) =>
      client.call(endpoint, { query }).then(
        ({ outcome, errors }) => [outcome, JSON.parse(errors[0]!.other).error_code as string],
        (error: { code: string }) => [error.code],
      )

    await expect.poll(() => read(shared.admin, api.getRequestTrail)).toEqual(['rejected', code])
    const own = await read(site.client, api.getOwnRequestTrail)
    expect(own).toEqual(isStrange(code) ? ['request_not_found'] : ['rejected', code])
  })
})

describe('error options', () => {
  it.each(ERROR_PROTOCOLS)('hides messages of providers: $name', async (protocol) => {
    await shared.setOption('global.hide_upstream_error_enabled', 'true')

    const rejected = await send(protocol, sendToFailing('upstream-hidden')(protocol))

    await shared.setOption('global.hide_upstream_error_enabled', 'false')
    const { message } = expectApiError(protocol, rejected, { status: 500, code: 'bad_response_status_code' })
    expect(message).toMatch(/^upstream error with status code 500 \(request id: /)
    expect(rejected.text).not.toContain('provider_error_type')
  })

  it.each(ERROR_PROTOCOLS)('rejects browser extensions: $name', async (protocol) => {
    await shared.setOption('global.block_browser_extension_enabled', 'true')
    const headers = { ...protocol.keyHeaders(site.keys.good), origin: 'chrome-extension://abcdef' }

    const rejected = await send(protocol, { headers })

    await shared.setOption('global.block_browser_extension_enabled', 'false')
    expectApiError(protocol, rejected, { status: 403, code: 'browser_extension_blocked' })
  })

  it.each(ERROR_PROTOCOLS)('limits the requests of a user: $name', async (protocol) => {
    await shared.setOption('ModelRequestRateLimitDurationMinutes', 10)
    await shared.setOption('ModelRequestRateLimitCount', 1)
    await shared.setOption('ModelRequestRateLimitEnabled', true)

    await send(protocol)
    const rejected = await send(protocol)

    await shared.setOption('ModelRequestRateLimitEnabled', 'false')
    expectApiError(protocol, rejected, { status: 429, code: 'model_rate_limited' })
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('official SDKs', () => {
  // Google's retries every 5xx, whatever the headers say.
  const MISTAKES = [
    { name: 'an unknown model', status: 404, ofGoogle: [404], model: () => 'unknown-model' },
    {
      name: 'a wrong key',
      status: 401,
      ofGoogle: [400],
      model: (name: string) => `unused-${name}`,
      key: 'sk-unknown',
    },
    { name: 'a channel that its provider rejects', status: 503, ofGoogle: [], model: failingModel },
  ]

  it.each(MISTAKES)('send one request for $name with their default retries', async (mistake) => {
    const { status, ofGoogle, model, key: apiKey = site.keys.good } = mistake
    let requests = 0
    const counting: typeof fetch = (input, init) => {
      requests += 1
      return fetch(input, init)
    }
    const openai = new OpenAI({ apiKey, baseURL: `${shared.url}/v1`, fetch: counting })
    const anthropic = new Anthropic({ apiKey, baseURL: shared.url, fetch: counting })
    const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: shared.url, fetch: counting } })
    const messages = [{ role: 'user' as const, content: 'hi' }]

    const failures = await Promise.all(
      [
        openai.chat.completions.create({ model: model('chat'), messages }),
        openai.responses.create({ model: model('responses'), input: 'hi' }),
        anthropic.messages.create({ model: model('messages'), max_tokens: 5, messages }),
        ...ofGoogle.map(() => google.interactions.create({ model: model('interactions'), input: 'hi' })),
      ].map((request) => request.then(String, (error: { status?: number }) => error.status)),
    )

    expect(failures).toEqual([status, status, status, ...ofGoogle])
    expect(requests).toBe(failures.length)
  })

  function failingModel(name: string): string {
    return modelOf(
      'upstream-401',
      ERROR_PROTOCOLS.find((protocol) => protocol.name === name)!,
    )
  }
})

describe('a caller without credit', () => {
  beforeAll(async () => {
    await setBalance(shared.db, site.userId, 0)
  })

  it.each(ERROR_PROTOCOLS)('is rejected: $name', async (protocol) => {
    const rejected = await send(protocol)

    expectApiError(protocol, rejected, { status: NO_CREDIT, code: 'insufficient_user_quota' })
  })
})

interface ErrorResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const FINAL = new Set([400, 401, 402, 403, 404, 413])

/**
 * Checks format, status, code and request ID, and that no internal data appears. A final error has no ID in its body.
 */
function expectApiError(protocol: ErrorProtocol, response: ErrorResponse, expected: Pick<ApiError, 'status' | 'code'>) {
  const { status, headers, text } = response
  expect({ status, text }).toMatchObject({ status: statusIn(protocol, expected.status) })
  expect(headers['content-type']).toMatch(/^application\/json/)
  const read = protocol.read(JSON.parse(text), status)
  expect(headers['x-tidegate-error'] ?? read.code).toBe(expected.code)
  expect(headers['x-request-id']).toMatch(/\S{10,}/)
  const isFinal = FINAL.has(status) || expected.code === 'upstream_account_error'
  expect(text.includes(String(headers['x-request-id']))).toBe(!isFinal)
  expect(headers['x-should-retry']).toBe(isFinal ? 'false' : undefined)
  const all = text + JSON.stringify(headers)
  for (const secret of [...Object.values(CANARIES), new URL(site.upstream.url).host, new URL(AWAY.url).host]) {
    expect(all).not.toContain(secret)
  }
  return read
}

function statusIn({ errors }: ErrorProtocol, status: ApiError['status']): number {
  return typeof status === 'number' ? status : status[errors]
}

function withKey(protocol: ErrorProtocol, key: string): Partial<RequestOptions> {
  return { headers: protocol.keyHeaders(key) }
}

function ofModel(protocol: ErrorProtocol, model: string): Partial<RequestOptions> {
  return { path: protocol.path(model), body: JSON.stringify(protocol.body(model, 'hi')) }
}

function withoutPrompt(protocol: ErrorProtocol): Partial<RequestOptions> {
  const { messages: _, input: __, contents: ___, ...rest } = protocol.body(modelOf('fine', protocol), 'hi')
  return { body: JSON.stringify(rest) }
}

function streamRequest(protocol: ErrorProtocol, model: string): Partial<RequestOptions> {
  const { path, body } = ofModel(protocol, model)
  if (protocol.name === 'gemini') return { path: path!.replace(':generate', ':streamGenerate'), body }
  return { path, body: JSON.stringify({ ...(JSON.parse(body!) as object), stream: true }) }
}

/** A valid request with the given changes. */
function send(protocol: ErrorProtocol, overrides: Partial<RequestOptions> = {}): Promise<ErrorResponse> {
  const fine = ofModel(protocol, modelOf('fine', protocol))
  const { path, body, headers } = { headers: protocol.keyHeaders(site.keys.good), ...fine, ...overrides }
  return new Promise((resolve, reject) => {
    request(
      shared.url + path!,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (piece: string) => (text += piece))
          .once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      },
    )
      .once('error', reject)
      .end(body)
  })
}
