import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { api } from '@tidegate/contract'
import { addChannel } from '@tidegate/testing'
import { describe, expect, it } from 'vitest'
import { INSIDE } from './canaries.ts'
import { hostileAddresses, hostileNames, findUnexpected } from './hostile-addresses.ts'
import { IMAGE_URL_FIELDS, type ImageUrlField } from './image-url-fields.ts'
import { site } from './site.ts'

const [{ protocol }] = IMAGE_URL_FIELDS as [ImageUrlField]

async function expectNothingReached(): Promise<void> {
  expect(await site.dialledInside()).toEqual([])
  expect(site.canaries.connections()).toBe(0)
}

/** The result of a request for a model. */
async function sendRequest(model: string): Promise<{ status: number; code: string }> {
  const response = await fetch(site.server.url + protocol.path(model), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...protocol.keyHeaders(site.key) },
    body: JSON.stringify(protocol.body(model, 'High water?')),
  })
  return { status: response.status, code: protocol.read(await response.json(), response.status).code }
}

/** Addresses that administrators enter. */
export function channelAddressTests(): void {
  describe('the address of a channel (SSRF)', () => {
    it('is not queried for its models when it is private', async () => {
      const port = `:${site.canaries.port}`
      const addresses = [
        ...hostileAddresses('http', port),
        ...hostileAddresses('http', ''),
        ...hostileNames('http', port),
      ]

      const found = await findUnexpected(
        addresses,
        async (base_url) =>
          (await site.client.send(api.fetchUpstreamModels, { body: { type: 1, base_url, key: 'sk-inside' } })).envelope,
        (envelope) =>
          !envelope.success && /^(channel_base_url_invalid|fetch_models_upstream_failed)$/.test(envelope.code ?? ''),
      )

      expect(found).toEqual([])
      await expectNothingReached()
    })

    it.each([...INSIDE.map((host) => (host.includes(':') ? `[${host}]` : host)), 'localhost', 'loopback6.example'])(
      'serves no request, test or balance from %s',
      async (host) => {
        const model = `inside-${host.replaceAll(/[^a-z0-9]/g, '-')}`
        const url = `http://${host}:${site.canaries.port}`
        const { id } = await addChannel(site.client, { url }, { models: model })

        const called = await sendRequest(model)
        const tested = await site.client.call(api.testChannel, { path: { id }, headers: EN })
        const balance = await site.client.send(api.refreshBalance, { path: { id }, headers: EN })
        const models = await site.client.send(api.fetchChannelModels, { path: { id }, headers: EN })

        expect(called).toEqual({ status: 502, code: 'upstream_private_address' })
        expect([tested.success, tested.message]).toEqual([false, expect.stringContaining('private network')])
        for (const { envelope } of [balance, models]) {
          expect([envelope.success, envelope.message]).toEqual([false, expect.stringContaining('private network')])
        }
        await expectNothingReached()
      },
    )

    it('opens no session at a private address', async () => {
      await addChannel(
        site.client,
        { url: `http://127.0.0.1:${site.canaries.port}` },
        { models: 'gpt-4o-realtime-preview' },
      )

      const socket = new WebSocket(
        `${site.server.url.replace('http', 'ws')}/v1/realtime?model=gpt-4o-realtime-preview`,
        ['realtime', `openai-insecure-api-key.${site.key}`],
      )
      const [closed] = (await once(socket, 'close')) as [CloseEvent]

      expect(closed.wasClean && closed.code === 1000).toBe(false)
      await expectNothingReached()
    })
  })

  describe('an address inside a key', () => {
    it('gets no token request when it is private', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const account = {
        project_id: 'tide',
        client_email: 'gate@tide.example',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        token_uri: `http://127.0.0.1:${site.canaries.port}/token`,
      }
      const provider = { url: 'http://provider.example:9' }
      const settings = { type: 41, models: 'gemini-2.0-flash', key: JSON.stringify(account), other: 'global' }
      await addChannel(site.client, provider, settings)

      expect(await sendRequest('gemini-2.0-flash')).toEqual({ status: 502, code: 'upstream_private_address' })
      await expectNothingReached()
    })
  })
}

const EN = { 'accept-language': 'en' }
