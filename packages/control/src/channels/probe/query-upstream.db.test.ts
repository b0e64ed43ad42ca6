import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@tidegate/contract'
import { createUpstreamClient, type UpstreamClient } from '@tidegate/providers'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const KEY = 'sk-provider-0123456789'
let site: TestSite
let admin: ApiClient
let provider: Server
let url: string
let upstream: UpstreamClient
let handler: Handler = () => {}
beforeAll(async () => {
  provider = createServer((request, response) => handler(request, response)).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  upstream = createUpstreamClient({ allowPrivateAddresses: true })
  site = await startTestSite({ upstream })
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(async () => {
  await site.close()
  await upstream.close()
  provider.closeAllConnections()
  provider.close()
})
afterEach(() => {
  site.deps.upstream = upstream
})

const json =
  (body: unknown, status = 200): Handler =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const byId = (id: number) => admin.send(api.fetchChannelModels, { path: { id } })
const fetchModels = (body: object) =>
  admin.send(api.fetchUpstreamModels, { body: { base_url: url, key: KEY, ...body } })

describe('provider models', () => {
  it('are requested with the first key of a channel, at the path of its type', async () => {
    const requests: (string | undefined)[][] = []
    handler = (request, response) => {
      requests.push([request.url, request.headers.authorization, request.headers['x-api-key'] as string | undefined])
      json({ data: [{ id: 'm-1' }, { id: 'm-2' }, { id: 'm-1' }] })(request, response)
    }
    const openai = await addChannel(admin, { url }, { key: `${KEY}\nsk-other` })
    const claude = await addChannel(admin, { url }, { type: 14, key: KEY })

    expect((await byId(openai.id)).envelope).toMatchObject({ success: true, data: ['m-1', 'm-2'] })
    expect((await byId(claude.id)).envelope).toMatchObject({ success: true, data: ['m-1', 'm-2'] })
    expect(requests[0]).toEqual(['/v1/models', `Bearer ${KEY}`, undefined])
    expect(requests[1]).toEqual([expect.stringMatching(/^\/v1\/models/), undefined, KEY])
  })

  it('are requested with the first key of a form', async () => {
    let authorization: string | undefined
    handler = (request, response) => {
      authorization = request.headers.authorization
      json({ data: [{ id: 'm' }] })(request, response)
    }

    const { envelope } = await fetchModels({ type: 1, key: `${KEY}\nsk-second` })

    expect(envelope).toMatchObject({ success: true, data: ['m'] })
    expect(authorization).toBe(`Bearer ${KEY}`)
  })

  it.each([
    ['an error status', json({ error: { message: `bad key ${KEY}` } }, 401), 'HTTP 401'],
    ['another site', json({}, 302), 'HTTP 302'],
    ['no JSON', (_: IncomingMessage, response: ServerResponse) => void response.end('<html>'), '无法理解上游的响应'],
    ['a cut line', (request: IncomingMessage) => void request.socket.destroy(), '无法连接上游'],
  ])('fail with %s, without key or address in the error', async (_case, result, reason) => {
    handler = result
    const { id } = await addChannel(admin, { url }, { key: KEY })

    const form = await fetchModels({})
    const saved = await byId(id)

    expect(form.response.status).toBe(500)
    expect(form.envelope).toMatchObject({ success: false, code: 'fetch_models_upstream_failed' })
    expect(saved.response.status).toBe(200)
    expect(saved.envelope).toMatchObject({ success: false, code: 'fetch_models_failed' })
    for (const { envelope } of [form, saved]) {
      expect(envelope.message).toContain(reason)
      expect(envelope.message).not.toContain('127.0.0.1')
      expect(JSON.stringify([envelope, site.problems])).not.toContain(KEY)
    }
  })

  it('are not requested in private networks unless allowed', async () => {
    const guarded = createUpstreamClient()
    site.deps.upstream = guarded
    handler = () => {
      throw new Error('the guard let a call through')
    }

    const { response, envelope } = await fetchModels({})
    await guarded.close()

    expect(response.status).toBe(500)
    expect(envelope.message).toContain('私有网络')
    expect(envelope.message).not.toContain('127.0.0.1')
  })

  it.each([
    [{ key: ' ' }, 'channel_key_required'],
    [{ key: 'sk-v••••6789' }, 'channel_key_required'],
    [{ base_url: 'ftp://x' }, 'channel_base_url_invalid'],
    [{ type: 8, base_url: '' }, 'channel_base_url_required'],
    [{ setting: '{"proxy":"x"}' }, 'channel_proxy_invalid'],
    [{ type: 9999, base_url: '' }, 'model_list_unsupported'],
  ])('are not requested with %o', async (body, code) => {
    const { response, envelope } = await fetchModels(body)

    expect(response.status).toBe(200)
    expect(envelope).toMatchObject({ success: false, code })
  })

  it('are rejected in a process without an upstream client', async () => {
    site.deps.upstream = undefined

    expect((await fetchModels({})).envelope).toMatchObject({ success: false, code: 'upstream_calls_off' })
  })
})

describe('the balance of a channel', () => {
  const refresh = (id: number) => admin.send(api.refreshBalance, { path: { id } })

  it('is requested from the provider and stored', async () => {
    handler = (request, response) =>
      json(
        request.url!.includes('/subscription')
          ? { hard_limit_usd: 120, has_payment_method: true }
          : { total_usage: 2050 },
      )(request, response)
    const { id } = await addChannel(admin, { url }, { key: KEY })

    const { envelope } = await refresh(id)

    expect(envelope).toEqual({ success: true, message: '', balance: 99.5 })
    const channel = await admin.call(api.getChannel, { path: { id } })
    expect(channel.balance).toBe(99.5)
    expect(channel.balance_updated_time).toBeGreaterThan(0)
  })

  it('can be in the currency of the provider', async () => {
    handler = json({
      balance_infos: [
        { currency: 'USD', total_balance: '1' },
        { currency: 'CNY', total_balance: '7.25' },
      ],
    })
    const { id } = await addChannel(admin, { url }, { type: 43, key: KEY })

    expect((await refresh(id)).envelope).toMatchObject({ balance: 7.25 })
  })

  it.each([
    ['an error status', json({ error: KEY }, 403), 'HTTP 403'],
    ['a response without one', json({ nothing: 1 }), '无法理解上游的响应'],
    ['an absurd one', json({ balance_infos: [{ currency: 'CNY', total_balance: '1e300' }] }), '无法理解上游的响应'],
  ])('fails with %s', async (_case, result, reason) => {
    handler = result
    const { id } = await addChannel(admin, { url }, { type: 43, key: KEY })

    const { envelope } = await refresh(id)

    expect(envelope).toMatchObject({ success: false, code: 'balance_failed' })
    expect(envelope.message).toContain(reason)
    expect(JSON.stringify(envelope)).not.toContain(KEY)
  })

  it('is rejected for providers without this API', async () => {
    const { id } = await addChannel(admin, { url }, { type: 14, key: KEY })

    expect((await refresh(id)).envelope).toMatchObject({ success: false, code: 'balance_unsupported' })
  })
})

describe('queries of an account', () => {
  it.each([
    ['model lists', (id: number) => byId(id), { data: [] }],
    [
      'balances',
      (id: number) => admin.send(api.refreshBalance, { path: { id } }),
      { hard_limit_usd: 1, total_usage: 0 },
    ],
  ])('send the base headers and the header override: %s', async (_kind, query, body) => {
    const headers: IncomingMessage['headers'][] = []
    handler = (request, response) => {
      headers.push(request.headers)
      json(body)(request, response)
    }
    const { id } = await addChannel(admin, { url }, { key: KEY, header_override: '{"x-team":"blue"}' })

    expect((await query(id)).envelope).toMatchObject({ success: true })

    const expected = { 'user-agent': 'tidegate', 'accept-encoding': 'identity', 'x-team': 'blue' }
    expect(headers[0]).toMatchObject({ ...expected, authorization: `Bearer ${KEY}` })
  })
})

describe('a refresh of all balances', () => {
  it('updates enabled channels with this API and disables empty accounts', async () => {
    const root = await site.signedIn('root')
    await root.call(api.updateOption, { body: { key: 'AutomaticDisableChannelEnabled', value: true } })
    await site.db.deleteFrom('channel').execute()
    handler = (request, response) => {
      const amount = { 'Bearer full': '5', 'Bearer empty': '0' }[request.headers.authorization!]
      if (amount === undefined) return json({}, 500)(request, response)
      json({ balance_infos: [{ currency: 'CNY', total_balance: amount }] })(request, response)
    }
    const add = async (changes: object) => (await addChannel(admin, { url }, { type: 43, ...changes })).id
    const full = await add({ key: 'full' })
    const empty = await add({ key: 'empty', auto_ban: 0 })
    const oneOfTwo = await add({ key: 'empty\nfull' })
    const failing = await add({ key: 'failing' })
    const silent = await add({ key: 'full', type: 14 })
    const disabled = await add({ key: 'empty' })
    await admin.call(api.updateChannel, { body: { id: disabled, status: 2 } })

    await admin.call(api.refreshAllBalances)
    await expect.poll(async () => (await admin.call(api.getBalanceProgress)).running, { timeout: 15_000 }).toBe(false)

    expect(await admin.call(api.getBalanceProgress)).toMatchObject({ done: 4, total: 4, failed: 1, cancelled: false })
    const rows = await admin.call(api.listChannels, { query: { page_size: 100 } })
    const seen = new Map(rows.map(({ id, status, balance, disabled_key_count: keys }) => [id, [status, balance, keys]]))
    expect(seen.get(full)).toEqual([1, 5, 0])
    expect(seen.get(empty)).toEqual([3, 0, 1])
    expect(seen.get(oneOfTwo)).toEqual([1, 0, 1])
    expect(seen.get(failing)).toEqual([1, 0, 0])
    expect(seen.get(silent)).toEqual([1, 0, 0])
    expect(seen.get(disabled)).toEqual([2, 0, 0])
  })
})
