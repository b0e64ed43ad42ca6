import { expect, it } from 'vitest'
import type { RequestSigner } from './upstream/request-signer.ts'
import { targetOf, upstreamRequest, type ChannelRequest, type UpstreamChannel } from './upstream-request.ts'

const CHANNEL: UpstreamChannel = { type: 1, baseUrl: 'https://provider.example', setting: {} }

function build(channel: Partial<UpstreamChannel>, fields: Partial<ChannelRequest> = {}) {
  const whole = { ...CHANNEL, ...channel }
  const target = targetOf(whole, { key: 'sk-1', model: 'm' })
  return upstreamRequest({}, whole, { target, url: 'https://provider.example/v1', method: 'GET', ...fields })
}

it('adds the base headers, the key and the headers of the request', async () => {
  const request = await build({}, { headers: { accept: 'application/json' } })

  expect(request.headers).toEqual({
    'accept-encoding': 'identity',
    'user-agent': 'tidegate',
    authorization: 'Bearer sk-1',
    accept: 'application/json',
  })
})

it('applies the header override of the channel last', async () => {
  const headerOverride = new Map([
    ['User-Agent', '{client_header:user-agent}'],
    ['x-key', '{api_key}'],
  ])

  const { headers } = await build({ headerOverride }, { client: { 'user-agent': 'codex/1' } })

  expect(headers).toMatchObject({ 'user-agent': 'codex/1', 'x-key': 'sk-1' })
})

it('replaces the authentication headers where an endpoint expects the key elsewhere', async () => {
  const { headers } = await build({}, { authorization: { 'api-key': 'sk-1' } })

  expect(headers).toMatchObject({ 'api-key': 'sk-1' })
  expect(headers).not.toHaveProperty('authorization')
})

it.each([
  [' http://proxy.example:8080 ', 'http://proxy.example:8080'],
  [' ', undefined],
  [7, undefined],
  [undefined, undefined],
])('reads the proxy %j as %j', async (proxy, expected) => {
  expect((await build({ setting: { proxy } })).proxy).toBe(expected)
})

it('exchanges a key for a token through the proxy of the channel', async () => {
  const channel = { ...CHANNEL, type: 15, setting: { proxy: 'http://proxy.example:8080' } }
  const target = targetOf(channel, { key: 'ak|sk', model: 'm' })
  const proxies: unknown[] = []
  const signing: RequestSigner = {
    now: () => new Date(),
    token: async (_name, exchange) => (await exchange()).token,
    async postForm(_url, _fields, proxy) {
      proxies.push(proxy)
      return Promise.resolve({ access_token: 't' })
    },
  }

  const { url } = await upstreamRequest({ signing }, channel, { target, url: 'https://p.example/v1', method: 'POST' })

  expect([url, proxies]).toEqual(['https://p.example/v1?access_token=t', ['http://proxy.example:8080']])
})

it('rejects a provider that signs requests when the process has no signer', async () => {
  await expect(build({ type: 33 })).rejects.toThrow('cannot sign')
})
