import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { PNG, PROTOCOLS } from './conversation.ts'
import { UPSTREAMS } from './upstreams/index.ts'

export const PROVIDER_KEY = 'sk-provider-the-real-one'

/** A gateway with a channel per protocol, and the fake providers behind them. */
export interface Site {
  readonly url: string
  readonly key: string
  /** The provider of a model. */
  providerOf(model: string): FakeUpstream
  /** The URL of a public image. */
  readonly imageUrl: string
  close(): Promise<void>
}

export interface ProviderChannel {
  readonly type: number
  /** As a channel stores it: JSON. */
  readonly setting?: string
  readonly model: string
  readonly provider: FakeUpstream
}

export type FakeProviders = Pick<Site, 'imageUrl' | 'providerOf' | 'close'> & {
  readonly channels: readonly ProviderChannel[]
}

export async function startFakeProviders(): Promise<FakeProviders> {
  const strict = await fakeUpstream({ key: PROVIDER_KEY })
  const compatible = await fakeUpstream({ key: PROVIDER_KEY, strict: false })
  const images = await serveImages()
  const thinkers = new Set(PROTOCOLS.map((protocol) => UPSTREAMS[protocol].thinkingModel))
  return {
    channels: PROTOCOLS.flatMap((protocol) => {
      const { channel, model, thinkingModel } = UPSTREAMS[protocol]
      const thinking = thinkingModel === undefined ? [] : [{ ...channel, model: thinkingModel, provider: compatible }]
      return [{ ...channel, model, provider: strict }, ...thinking]
    }),
    providerOf: (model) => (thinkers.has(model) ? compatible : strict),
    imageUrl: images.url,
    close: async () => void (await Promise.all([strict.close(), compatible.close(), images.close()])),
  }
}

async function serveImages() {
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
