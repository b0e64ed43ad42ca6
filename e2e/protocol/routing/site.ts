import { api, type BodyInput, type OptionKey } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  type ApiClient,
  fakeUpstream,
  type FakeUpstream,
  type RunningServer,
  startServer,
} from '@tidegate/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { sharedSite, type SharedSite, type SiteUser } from '../shared-site.ts'

/** The site of the running test file. */
export let site: Site

export function useSite(): void {
  const shared = sharedSite()
  beforeAll(async () => {
    site = await openSite(shared)
  })
  afterAll(() => site?.close())
}

/** A fake provider with its own channel. Its requests are those of this channel. */
export interface FakeProvider extends FakeUpstream {
  readonly channel: api.Channel
}

/** The number of requests at each. */
export function requestCounts(...providers: FakeProvider[]): number[] {
  return providers.map(({ requests }) => requests.length)
}

type ChannelFields = Partial<BodyInput<typeof api.createChannel>> & { models: string }

/** The server of this worker, and its channels. */
interface Site {
  readonly url: string
  readonly db: SharedSite['db']
  readonly env: Readonly<Record<string, string>>
  readonly dataDirectory: string
  readonly admin: ApiClient
  /** A key of the super admin. */
  readonly key: string
  addProvider(fields: ChannelFields): Promise<FakeProvider>
  /** In sequence, so that their IDs ascend. */
  addProviders<All extends ChannelFields[]>(...all: All): Promise<{ [Each in keyof All]: FakeProvider }>
  channelOf(provider: FakeProvider): Promise<api.Channel>
  setOptions(options: Partial<Record<OptionKey, string | number | boolean>>): Promise<void>
  addUser(name: string): Promise<SiteUser>
  /** The log row of a served request, once it is settled. */
  rowOf(requestId: string): Promise<api.UsageLog>
  /** A process that serves only the data plane, on the same database. */
  startGateway(): Promise<RunningServer>
  close(): Promise<void>
}

/** Settlement goes through the journal, and channels are disabled asynchronously: both take a moment. */
export const SOON = { timeout: 30_000, interval: 50 }

async function openSite(shared: SharedSite): Promise<Site> {
  const { admin } = shared
  const nodes: RunningServer[] = []
  const providers: FakeProvider[] = []
  const { secret: key } = await addToken(admin)
  await shared.setOption('global_model_mapping', { mapping: {} }) // tests change it through its own endpoint

  async function addProvider(fields: ChannelFields): Promise<FakeProvider> {
    const upstream = await fakeUpstream()
    const provider = { ...upstream, channel: await addChannel(admin, upstream, fields) }
    providers.push(provider)
    return provider
  }

  return {
    url: shared.url,
    db: shared.db,
    env: shared.env,
    dataDirectory: shared.dataDirectory,
    admin,
    key,
    addProvider,
    async addProviders<All extends ChannelFields[]>(...all: All) {
      const added: FakeProvider[] = []
      for (const fields of all) added.push(await addProvider(fields))
      return added as { [Each in keyof All]: FakeProvider }
    },
    channelOf: ({ channel }) => admin.call(api.getChannel, { path: { id: channel.id } }),
    async setOptions(options) {
      for (const [name, value] of Object.entries(options)) await shared.setOption(name as OptionKey, value)
    },
    addUser: (name) => shared.addUser({ name }),
    rowOf: (requestId) => rowOf(admin, requestId),
    async startGateway() {
      const node = await startServer({ env: { ...shared.env }, args: ['--role', 'gateway'] })
      nodes.push(node)
      return node
    },
    async close() {
      await Promise.all(nodes.map((node) => node.stop()))
      await Promise.all(providers.map((provider) => provider.close()))
    },
  }
}

async function rowOf(admin: ApiClient, requestId: string): Promise<api.UsageLog> {
  const find = async () => {
    const query = { p: 1, page_size: 100, type: api.LOG_TYPE.consumption }
    const { items } = await admin.call(api.listLogs, { query })
    return items.find((row) => row.request_id === requestId)
  }
  await expect.poll(find, SOON).toBeDefined()
  return (await find())!
}
