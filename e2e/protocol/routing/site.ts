import { randomBytes } from 'node:crypto'
import { api, type BodyInput } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  fakeUpstream,
  type FakeUpstream,
  type RunningServer,
  setUpSite,
  startServer,
  SUPER_ADMIN,
  throwAwayDatabase,
  type ThrowAwayDatabase,
  throwAwayRedis,
} from '@tidegate/testing'
import { sql } from 'kysely'
import { expect } from 'vitest'

/** A vendor of its own, and the channel that leads to it. Its requests are those that this channel made. */
export interface Vendor extends FakeUpstream {
  readonly channel: api.Channel
}

/** How often each was asked. */
export function asked(...vendors: Vendor[]): number[] {
  return vendors.map(({ requests }) => requests.length)
}

export type ChannelFields = Partial<BodyInput<typeof api.createChannel>> & { models: string }

export interface User {
  readonly client: ApiClient
  readonly key: string
}

/** A server on a database of its own, and what its channels lead to. */
export interface Site {
  readonly url: string
  readonly database: ThrowAwayDatabase
  readonly env: Readonly<Record<string, string>>
  readonly server: RunningServer
  readonly admin: ApiClient
  /** A key of the super admin. */
  readonly key: string
  addVendor(fields: ChannelFields): Promise<Vendor>
  /** One after the other, so that their ids rise. */
  addVendors<All extends ChannelFields[]>(...all: All): Promise<{ [Each in keyof All]: Vendor }>
  channelOf(vendor: Vendor): Promise<api.Channel>
  setOptions(options: Record<string, string | number | boolean>): Promise<void>
  addUser(name: string): Promise<User>
  /** The row of a call that was served, as soon as it is booked. */
  rowOf(requestId: string): Promise<api.UsageLog>
  /** Another process on the same database. */
  startNode(): Promise<RunningServer>
  close(): Promise<void>
}

/** Booking goes through the journal, and a channel is disabled behind the call's back: both take a moment. */
export const SOON = { timeout: 30_000, interval: 50 }

export async function openSite(): Promise<Site> {
  const database = await throwAwayDatabase({ poolSize: 2 })
  const redis = throwAwayRedis()
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    TIDEGATE_REDIS_PREFIX: redis.prefix,
    TIDEGATE_SECRET: randomBytes(32).toString('hex'),
  }
  const removeServices = () => Promise.all([database.close(), redis.close()])
  const server = await startServer({ env }).catch(async (error: unknown) => {
    await removeServices()
    throw error
  })
  const nodes = [server]
  const vendors: Vendor[] = []
  const admin = apiClient(server.url)
  await setUpSite(admin, { SelfUseModeEnabled: true }) // prices are no business of this suite
  const { secret: key } = await addToken(admin)

  async function addVendor(fields: ChannelFields): Promise<Vendor> {
    const upstream = await fakeUpstream()
    const vendor = { ...upstream, channel: await addChannel(admin, upstream, fields) }
    vendors.push(vendor)
    return vendor
  }

  return {
    url: server.url,
    database,
    env,
    server,
    admin,
    key,
    addVendor,
    async addVendors<All extends ChannelFields[]>(...all: All) {
      const added: Vendor[] = []
      for (const fields of all) added.push(await addVendor(fields))
      return added as { [Each in keyof All]: Vendor }
    },
    channelOf: ({ channel }) => admin.call(api.getChannel, { path: { id: channel.id } }),
    async setOptions(options) {
      for (const [name, value] of Object.entries(options)) {
        await admin.call(api.updateOption, { body: { key: name, value } })
      }
    },
    addUser: (name) => addUser(database, server.url, name),
    rowOf: (requestId) => rowOf(admin, requestId),
    async startNode() {
      const node = await startServer({ env })
      nodes.push(node)
      return node
    },
    async close() {
      await Promise.all(nodes.map((node) => node.stop()))
      await Promise.all(vendors.map((vendor) => vendor.close()))
      await removeServices()
    },
  }
}

const GIFT = 500_000_000

/** There is no call yet to add a user: a row with the super admin's password, and the entry that explains its balance. */
async function addUser({ db }: ThrowAwayDatabase, url: string, name: string): Promise<User> {
  await sql`
    with added as (
      insert into "user" (username, display_name, password_hash, aff_code, quota)
      select ${name}, ${name}, password_hash, ${name}, ${GIFT} from "user" where role = 100
      returning id
    )
    insert into ledger_entry (user_id, kind, amount) select id, 'admin_change', ${GIFT} from added`.execute(db)
  const client = apiClient(url)
  await client.login(name, SUPER_ADMIN.password)
  return { client, key: (await addToken(client)).secret }
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
