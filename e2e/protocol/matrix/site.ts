import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  addChannel,
  addToken,
  apiClient,
  fakeUpstream,
  type FakeUpstream,
  setUpSite,
  startServerOn,
  withServices,
} from '@tidegate/testing'
import { PROTOCOLS } from './conversation.ts'
import { PNG } from './media.ts'
import { UPSTREAMS } from './upstreams/index.ts'

/** A server with a channel for every protocol, and the vendors behind them. */
export interface Site {
  readonly url: string
  readonly key: string
  /** The vendor a model is served by. */
  vendorOf(model: string): FakeUpstream
  /** The address of a picture anybody may fetch. */
  readonly pictureUrl: string
  close(): Promise<void>
}

const VENDOR_KEY = 'sk-vendor-the-real-one'

export async function openSite(): Promise<Site> {
  const strict = await fakeUpstream({ key: VENDOR_KEY })
  const compatible = await fakeUpstream({ key: VENDOR_KEY, strict: false })
  const pictures = await servePictures()
  const server = await startServerOn(withServices, { env: { TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true' } })
  const client = apiClient(server.url)
  await setUpSite(client, { SelfUseModeEnabled: true }) // prices are no business of this suite
  for (const protocol of PROTOCOLS) {
    const { channel, model, thinkingModel } = UPSTREAMS[protocol]
    await addChannel(client, strict, { ...channel, key: VENDOR_KEY, models: model })
    if (thinkingModel === undefined) continue
    await addChannel(client, compatible, { ...channel, key: VENDOR_KEY, models: thinkingModel })
  }
  const { secret } = await addToken(client)
  const thinkers = new Set(PROTOCOLS.map((protocol) => UPSTREAMS[protocol].thinkingModel))
  return {
    url: server.url,
    key: secret,
    vendorOf: (model) => (thinkers.has(model) ? compatible : strict),
    pictureUrl: pictures.url,
    async close() {
      await server.stop()
      await Promise.all([strict.close(), compatible.close(), pictures.close()])
    },
  }
}

async function servePictures() {
  const bytes = Buffer.from(PNG.data, 'base64')
  const server = createServer(
    (_, response) => void response.writeHead(200, { 'content-type': PNG.mediaType }).end(bytes),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tide.png`,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}
