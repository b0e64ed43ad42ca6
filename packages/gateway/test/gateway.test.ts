import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallerRecord } from '../src/ports/index.ts'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
const start = async (options: Partial<Parameters<typeof startGateway>[0]> = {}) => {
  gateway = await startGateway({ channels: [aChannel({ baseUrl: upstream.url })], ...options })
  return gateway
}
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'good morning' }] }
const authorized = { authorization: `Bearer ${KEY}` }

it('reports the use of an API token from an address that it does not allow', async () => {
  const uses: object[] = []
  await start({ caller: { allowIps: '10.0.0.0/8' }, recordRejectedAddress: (use) => uses.push(use) })

  await gateway.chat(chat)

  expect(uses).toEqual([{ userId: 7, tokenName: 'laptop', clientAddress: '127.0.0.1', requestId: 'req-1' }])
})

describe('a whole response', () => {
  it('is forwarded byte for byte, billed exactly, and logged', async () => {
    upstream.next({
      text: 'Hello!',
      usage: { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 200 } },
    })
    await start()

    const response = await gateway.chat({ ...chat, temperature: 0, future_field: { a: null } })

    expect(response.status).toBe(200)
    expect(response.headers['x-request-id']).toBe('req-1')
    expect(response.json.choices[0].message.content).toBe('Hello!')
    expect(upstream.requests[0]!.body).toEqual({ ...chat, temperature: 0, future_field: { a: null } })
    expect(upstream.requests[0]!.headers.authorization).toBe('Bearer provider-key')
    const [settlement] = gateway.credit.settled
    expect(settlement!.receipt.quota).toBe(3625)
    expect(settlement!.log).toMatchObject({
      type: 2,
      username: 'ada',
      tokenName: 'laptop',
      modelName: 'gpt-4o',
      channelId: 1,
      group: 'default',
      isStream: false,
      clientIp: '',
      content: 'model ratio 1.25, completion ratio 4.00, group ratio 1.00',
      other: {
        model_ratio: 1.25,
        group_ratio: 1,
        completion_ratio: 4,
        cache_tokens: 200,
        cache_ratio: 0.5,
        model_price: -1,
        frt: -1000,
        admin_info: { use_channel: ['1'] },
      },
    })
    expect(gateway.credit.balance).toBe(1_000_000_000 - 3625)
  })

  it('is sent after its settlement', async () => {
    await start()
    let book!: () => void
    const booked = new Promise<void>((resolve) => {
      book = resolve
    })
    let completed = false
    gateway.credit.beforeSettle = () => booked

    const response = gateway.chat(chat).then(() => (completed = true))
    await upstream.finished(1)
    await expect.poll(() => gateway.gateway.openRequests()).toBe(1)
    expect(completed).toBe(false)
    book()
    await response

    expect(gateway.credit.states()).toEqual(['settled'])
  })

  it('is withheld when it cannot be billed', async () => {
    await start()
    gateway.credit.beforeSettle = () => Promise.reject(new Error('the disk is full'))

    const response = await gateway.chat(chat)

    expect([response.status, response.json.error.code]).toEqual([503, 'settlement_unavailable'])
    expect(response.headers['retry-after']).toBe('1')
    expect(gateway.events.at(-1)).toMatchObject({ kind: 'request', outcome: 'failed', status: 503 })
    expect(gateway.errors).toHaveLength(1)
  })

  it('is requested with the model name and the settings of the channel', async () => {
    await start({
      channels: [
        aChannel({
          baseUrl: upstream.url,
          models: ['gpt-4'],
          modelMapping: new Map([
            ['gpt-4', 'alias'],
            ['alias', 'gpt-4o'],
          ]),
          paramOverride: { temperature: 0.5, user: null },
          systemPrompt: 'Be brief.',
        }),
      ],
    })

    await gateway.chat({ ...chat, model: 'gpt-4', user: 'ada' })

    expect(upstream.requests[0]!.body).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'system', content: 'Be brief.' }, ...chat.messages],
      temperature: 0.5,
    })
    const [settlement] = gateway.credit.settled
    expect(settlement!.log.modelName).toBe('gpt-4')
    expect(settlement!.log.other).toMatchObject({
      is_model_mapped: true,
      upstream_model_name: 'gpt-4o',
      model_ratio: 1.25,
    })
  })

  it('is requested with the header overrides of the channel', async () => {
    const headerOverride = new Map([
      ['Authorization', 'Token {api_key}'],
      ['x-team', 'blue'],
      ['x-trace', '{client_header:X-Trace}'],
      ['x-absent', '{client_header:x-absent}'],
    ])
    await start({ channels: [aChannel({ baseUrl: upstream.url, keys: ['sk-upstream'], headerOverride })] })

    await gateway.chat(chat, { 'x-trace': 'trace-7' })

    const { headers } = upstream.requests[0]!
    expect(headers).toMatchObject({ authorization: 'Token sk-upstream', 'x-team': 'blue', 'x-trace': 'trace-7' })
    expect(headers).not.toHaveProperty('x-absent')
  })

  it('is sent as a stream of one chunk by a channel that cannot stream', async () => {
    await start({
      channels: [aChannel({ baseUrl: upstream.url, setting: { stream_support: 'NON_STREAM_ONLY' } })],
    })

    const response = await gateway.chat({ ...chat, stream: true, stream_options: { include_usage: true } })

    expect(upstream.requests[0]!.body).toEqual({ ...chat, stream: false })
    expect(response.text).toMatch(/^: WAITING FOR UPSTREAM\n\n/)
    const chunks = response.data.slice(0, -1).map((data) => JSON.parse(data))
    expect(chunks).toMatchObject([
      { choices: [{ delta: { role: 'assistant', content: 'You said: good morning' }, finish_reason: 'stop' }] },
      { choices: [], usage: { total_tokens: expect.any(Number) } },
    ])
    expect(response.data.at(-1)).toBe('[DONE]')
    expect(gateway.credit.settled[0]!.log).toMatchObject({ isStream: false, other: { frt: -1000 } })
  })
})

describe('a request body', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('may be compressed with %s', async (encoding, compress) => {
    await start()

    const response = await gateway.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { ...authorized, 'content-encoding': encoding },
      body: compress(JSON.stringify(chat)),
    })

    expect(response.status).toBe(200)
    expect(upstream.requests[0]!.body).toEqual(chat)
  })

  it('is rejected beyond 32 MB, also after decompression', async () => {
    await start()
    const post = { method: 'POST', path: '/v1/chat/completions' }

    const plain = await gateway.send({
      ...post,
      headers: { ...authorized, 'transfer-encoding': 'chunked' },
      body: `"${'a'.repeat(33 * 1024 * 1024)}"`,
    })
    const packed = await gateway.send({
      ...post,
      headers: { ...authorized, 'content-encoding': 'gzip' },
      body: gzipSync(`"${randomBytes(25 * 1024 * 1024).toString('base64')}"`),
    })

    expect([plain.status, packed.status]).toEqual([413, 413])
    expect(packed.json.error.code).toBe('body_too_large')
  })

  it.each([
    ['{"model":', 400, 'invalid_json'],
    ['{"messages":[]}', 400, 'model_required'],
    ['{"model":"gpt-4o","messages":[]}', 400, 'invalid_text_request'],
    [Buffer.from([0x22, 0xff, 0x22]), 400, 'invalid_json'],
  ])('is rejected if it is invalid: %s', async (body, status, code) => {
    await start()

    const response = await gateway.send({ method: 'POST', path: '/v1/chat/completions', headers: authorized, body })

    expect([response.status, response.json.error.code]).toEqual([status, code])
    expect(gateway.credit.entries).toEqual([])
  })
})

describe('a token', () => {
  const rejected: [string, Partial<CallerRecord>, number, string][] = [
    ['exhausted', { tokenStatus: 4 }, 402, 'api_key_exhausted'],
    ['expired', { tokenStatus: 3 }, 401, 'api_key_expired'],
    ['disabled', { tokenStatus: 2 }, 401, 'api_key_disabled'],
    ['past its expiry', { expiredTime: 1000 }, 401, 'api_key_expired'],
    ['without quota', { unlimitedQuota: false, remainQuota: 0 }, 402, 'api_key_exhausted'],
    ['of a banned owner', { userStatus: 2 }, 403, 'api_key_owner_disabled'],
    ['for other addresses', { allowIps: '10.0.0.0/8\n192.168.1.1' }, 403, 'ip_not_allowed'],
    ['with invalid addresses only', { allowIps: 'anywhere\n300.1.1.1' }, 403, 'ip_not_allowed'],
    ['for a group its owner may not use', { tokenGroup: 'svip' }, 403, 'group_not_allowed'],
    ['for auto without any group', { tokenGroup: 'auto' }, 403, 'group_not_allowed'],
    ['for a deleted group', { tokenGroup: 'old', userGroup: 'old' }, 403, 'group_not_allowed'],
    ['for other models', { modelLimitsEnabled: true, modelLimits: ['gpt-4'] }, 403, 'model_not_allowed'],
    ['for no models', { modelLimitsEnabled: true }, 403, 'model_not_allowed'],
  ]
  it.each(rejected)('%s is rejected, and reserves nothing', async (_name, caller, status, code) => {
    await start({ caller })

    const response = await gateway.chat(chat)

    expect([response.status, response.code]).toEqual([status, code])
    expect(response.headers).toMatchObject({ 'x-request-id': 'req-1', 'x-should-retry': 'false' })
    expect(gateway.credit.entries).toEqual([])
    expect(upstream.requests).toEqual([])
  })

  it('is served and billed in the first group that has the model, for the group auto', async () => {
    await start({
      caller: { tokenGroup: 'auto' },
      channels: [aChannel({ baseUrl: upstream.url, groups: ['vip'] })],
      settings: {
        AutoGroups: ['default', 'vip'],
        GroupRatio: { default: 1, vip: 3 },
        UserUsableGroups: { vip: 'VIP' },
      },
    })

    const response = await gateway.chat(chat)

    expect(response.status).toBe(200)
    const [settlement] = gateway.credit.settled
    expect(settlement!.log).toMatchObject({ group: 'vip', other: { group_ratio: 3 } })
  })

  it.each([
    [{}, 'api_key_missing'],
    [{ authorization: 'Bearer sk-wrong' }, 'api_key_invalid'],
    [{ authorization: `Bearer sk-tg_${'a'.repeat(45)}` }, 'api_key_mistyped'],
    [{ authorization: `Bearer sk-${'a'.repeat(48)}` }, 'api_key_invalid'],
  ])('must be given and known: %j', async (headers, code) => {
    await start()

    const response = await gateway.send({ method: 'POST', path: '/v1/chat/completions', headers, body: '{}' })

    expect([response.status, response.code]).toEqual([401, code])
  })

  it.each([KEY, `Bearer ${KEY}`, KEY.slice(3), `bearer  ${KEY.slice(3)}`])(
    'is accepted as "%s"',
    async (authorization) => {
      await start({ caller: { allowIps: '::1\n127.0.0.0/8' } })

      expect((await gateway.chat(chat, { authorization })).status).toBe(200)
    },
  )

  it('gets errors in Chinese with Accept-Language', async () => {
    await start({ caller: { tokenStatus: 2 } })

    const response = await gateway.chat(chat, { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' })

    expect(response.json.error.message).toContain('该令牌已停用')
  })

  it('gets errors in the language of the site without Accept-Language', async () => {
    await start({ caller: { tokenStatus: 2 }, settings: { 'general_setting.default_language': 'zh' } })

    expect((await gateway.chat(chat)).json.error.message).toContain('该令牌已停用')
    const english = await gateway.chat(chat, { 'accept-language': 'en' })
    expect(english.json.error.message).not.toContain('该令牌已停用')
  })

  it('can pin a channel for an administrator, regardless of limits and without retries', async () => {
    const other = await fakeUpstream()
    await start({
      caller: { userRole: 10, modelLimitsEnabled: true },
      settings: { RetryTimes: 3 },
      channels: [aChannel({ baseUrl: upstream.url }), aChannel({ id: 2, baseUrl: other.url, priority: -5 })],
    })
    other.always({ status: 500, body: { error: { message: 'down' } } })

    const response = await gateway.chat(chat, { authorization: `Bearer ${KEY}-2` })

    expect([response.status, other.requests.length, upstream.requests.length]).toEqual([500, 1, 0])
    await other.close()
  })

  it('cannot pin a channel for an ordinary user', async () => {
    await start()

    const response = await gateway.chat(chat, { authorization: `Bearer ${KEY}-1` })

    expect([response.status, response.json.error.code]).toEqual([403, 'channel_pin_refused'])
  })
})

describe('credit', () => {
  it('is reserved for the prompt and the stated maximum, and a request beyond the balance is rejected', async () => {
    await start()
    gateway.credit.balance = 100

    const response = await gateway.chat({ ...chat, max_tokens: 1000 })

    expect([response.status, response.code]).toEqual([402, 'insufficient_user_quota'])
    expect(upstream.requests).toEqual([])
  })

  it('is reserved even for a request that costs almost nothing', async () => {
    await start({ settings: { ModelRatio: { 'gpt-4o': 0.000001 } } })

    await gateway.chat(chat)

    expect(gateway.credit.entries[0]!.amount).toBe(1)
    expect(gateway.credit.settled[0]!.receipt.quota).toBe(1)
  })

  it('is not reserved for a model without a price or a channel', async () => {
    await start({ channels: [aChannel({ baseUrl: upstream.url, models: ['mystery'] })] })

    const unpriced = await gateway.chat({ ...chat, model: 'mystery' })
    const unknown = await gateway.chat({ ...chat, model: 'gpt-4' })

    expect([unpriced.status, unpriced.code]).toEqual([403, 'model_price_error'])
    expect([unknown.status, unknown.code]).toEqual([404, 'model_not_found'])
    expect(gateway.credit.entries).toEqual([])
  })
})

describe('paths', () => {
  it('return 404 if unknown, and 501 if not implemented', async () => {
    await start()

    const unknown = await gateway.send({ method: 'PUT', path: '/v1/nothing?x=1' })
    const files = await gateway.send({ path: '/v1/fine-tunes/abc' })
    const deleted = await gateway.send({ method: 'DELETE', path: '/v1/models/gpt-4o' })

    expect([unknown.status, unknown.json]).toEqual([
      404,
      {
        error: {
          message: 'Invalid URL (PUT /v1/nothing)',
          type: 'invalid_request_error',
          param: '',
          code: '',
        },
      },
    ])
    expect([files.status, files.json.error.code, files.json.error.param]).toEqual([501, 'api_not_implemented', ''])
    expect(deleted.status).toBe(501)
  })

  it('are distinguished: those of the gateway and all others', async () => {
    const { gateway: made } = await start()

    const ours = ['/v1/models', '/hf/v1/chat/completions', '/v1', '/v1?x', '/v1beta/models', '/v1beta']
    expect(ours.filter((url) => !made.matches({ url, headers: {} }))).toEqual([])
    expect(['/v1betas', '/api/v1', '/', '/v10'].filter((url) => made.matches({ url, headers: {} }))).toEqual([])
  })

  it('are open to every origin, without credentials', async () => {
    await start()

    const preflight = await gateway.send({
      method: 'OPTIONS',
      path: '/v1/chat/completions',
      headers: { origin: 'https://page.example', 'access-control-request-headers': 'authorization,content-type' },
    })
    const response = await gateway.chat(chat, { origin: 'https://page.example' })

    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type',
      'x-request-id': 'req-1',
    })
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  })
})
