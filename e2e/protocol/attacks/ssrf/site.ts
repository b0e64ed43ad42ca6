import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  fakeUpstream,
  type FakeUpstream,
  type RunningServer,
  setUpSite,
} from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openSite } from '../../../scenarios/site.ts'
import { type Canaries, startCanaries } from './canaries.ts'
import { INSIDE_NAMES } from './hostile-addresses.ts'
import { MODELS, IMAGE_URL_FIELDS, type ImageUrlField } from './image-url-fields.ts'
import { type PublicServer, startPublicServer } from './public-server.ts'
import { type DialledAddress, readDialled, networkEnvironment, type SteeredNetwork } from './fake-network.ts'

/** The site of the running test file. */
export let site: SsrfSite

export function useSite(): void {
  beforeAll(async () => {
    site = await openSsrfSite()
  })
  afterEach(() => site.provider.reset())
  afterAll(() => site?.close())
}

/** A public address. No test really connects to it. */
const PUBLIC = '93.184.216.34'
/** Another public address, without a listener. */
const DESERTED = '198.41.0.4'
/** A model with two channels. */
export const RETRIED_MODEL = 'claude-3-5-haiku-20241022'

export interface ChatResult {
  readonly status: number
  /** The error message; empty if there is none. */
  readonly message: string
}

export interface SsrfSite {
  /** As in production: private addresses are rejected for all users. */
  readonly server: RunningServer
  /** Another server of the site, which allows every private address. The first call starts it. */
  startCareless(): Promise<RunningServer>
  readonly client: ApiClient
  readonly key: string
  readonly provider: FakeUpstream
  readonly canaries: Canaries
  readonly outside: PublicServer
  /** A URL of the public server under one of its names. */
  publicUrl(path: string, name?: string): string
  send(
    place: ImageUrlField,
    urls: readonly string[],
    options?: { of?: RunningServer; model?: string },
  ): Promise<ChatResult>
  /** Private addresses that the strict server has connected to so far. */
  dialledInside(): Promise<DialledAddress[]>
  close(): Promise<void>
}

/** Names that resolve differently each time, one per test. */
const CHANGING_NAMES: SteeredNetwork['names'] = {
  'rebind.example': [[PUBLIC], ['127.0.0.1']],
  'rebind6.example': [[PUBLIC], ['::1']],
  'redirected-rebind.example': [[PUBLIC], ['127.0.0.2']],
  'mixed.example': [['127.0.0.1', PUBLIC, '::1']],
  'mixed-and-deserted.example': [['127.0.0.1', DESERTED, '127.0.0.2']],
}

async function openSsrfSite(): Promise<SsrfSite> {
  const [provider, canaries, outside, site] = await Promise.all([
    fakeUpstream(),
    startCanaries(),
    startPublicServer(),
    openSite(),
  ])
  const network = {
    leads: { [PUBLIC]: '127.0.0.1', [DESERTED]: '127.0.0.9' },
    names: {
      ...CHANGING_NAMES,
      ...Object.fromEntries(Object.entries(INSIDE_NAMES).map(([name, addresses]) => [name, [addresses]])),
      'provider.example': [[PUBLIC]],
      'worker.example': [[PUBLIC]],
      'drawings.example': [[PUBLIC]],
      'pictures.example': [[PUBLIC]],
      'marker.example': [[PUBLIC]],
    },
  }
  const env = { ...networkEnvironment(network), TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'false', MAX_FILE_DOWNLOAD_MB: '1' }
  const server = await site.start({ env })
  const client = apiClient(server.url)
  await setUpSite(client, { SelfUseModeEnabled: true }) // prices do not matter in this suite
  await client.call(api.updateOption, { body: { key: 'RetryTimes', value: '2' } })
  await addChannels(client, provider)
  const { secret: key } = await addToken(client)
  let careless: RunningServer | undefined

  const publicUrl = (path: string, name = 'pictures.example') => `http://${name}:${outside.port}${path}`
  const send: SsrfSite['send'] = async (place, urls, { of = server, model = place.model } = {}) => {
    const { protocol } = place
    const response = await fetch(of.url + protocol.path(model), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...protocol.keyHeaders(key) },
      body: JSON.stringify(place.body(model, ...urls)),
    })
    const body = await response.json()
    const message = response.ok ? '' : protocol.read(body, response.status).message
    return { status: response.status, message }
  }
  const ownPorts = new Set([site.env.DATABASE_URL, site.env.REDIS_URL].map((url) => Number(new URL(url!).port)))
  const marks = () => readDialled(server).filter(({ host }) => host === 'marker.example').length

  return {
    server,
    async startCareless() {
      const allowed = { TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true', TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'true' }
      careless ??= await site.start({ env: { ...env, ...allowed }, args: ['--role', 'gateway,control'] })
      return careless
    },
    client,
    key,
    provider,
    canaries,
    outside,
    publicUrl,
    send,
    async dialledInside() {
      // Log lines are in order: when this one is there, all earlier ones are.
      const before = marks()
      await send(IMAGE_URL_FIELDS[0]!, [publicUrl('/page', 'marker.example')])
      await expect.poll(marks).toBeGreaterThan(before)
      return readDialled(server).filter(({ address, port }) => !(address in network.leads) && !ownPorts.has(port))
    },
    async close() {
      await Promise.all([server.stop(), careless?.stop()])
      await Promise.all([site.close(), provider.close(), canaries.close(), outside.close()])
    },
  }
}

const CHANNEL_TYPES = { openai: 1, anthropic: 14, gemini: 24 } as const

async function addChannels(client: ApiClient, { url }: FakeUpstream): Promise<void> {
  const provider = { url: `http://provider.example:${new URL(url).port}` }
  for (const maker of ['openai', 'anthropic', 'gemini'] as const) {
    await addChannel(client, provider, { type: CHANNEL_TYPES[maker], models: MODELS[maker] })
  }
  for (const name of ['first', 'second']) {
    await addChannel(client, provider, { type: CHANNEL_TYPES.anthropic, name, models: RETRIED_MODEL })
  }
}
