import { randomBytes } from 'node:crypto'
import { api, defaultOptionText, type OptionKey } from '@tidegate/contract'
import { addToken, apiClient, type ApiClient, connectTo, type DatabaseConnection, SUPER_ADMIN } from '@tidegate/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import type { SiteAddress } from './start-sites.ts'

export interface SiteUser {
  readonly id: number
  readonly username: string
  readonly client: ApiClient
  /** The session cookie, as a browser sends it. */
  readonly cookie: string
  /** The key of an unlimited API token. */
  readonly key: string
}

/** The server of this worker. Files run on it in sequence, each with its own users. */
export interface SharedSite extends SiteAddress {
  readonly db: DatabaseConnection['db']
  readonly admin: ApiClient
  /** Takes effect on this process at once, and is undone after the file. */
  setOption(key: OptionKey, value: string | number | boolean | object): Promise<void>
  addUser(options?: UserOptions): Promise<SiteUser>
}

export interface UserOptions {
  name?: string
  quota?: number
  group?: string
}

const USER_PASSWORD = 'spring-tide-42'
const LARGE_QUOTA = 500_000_000
/** How `startSites` sets up sites, where it differs from the default. */
const BASELINE: Partial<Record<OptionKey, string>> = { SelfUseModeEnabled: 'true' }

let shared: { site: SiteAddress; admin: ApiClient; connection: DatabaseConnection } | undefined

/** For the top of a test file: returns the site of its worker, and removes channels and settings after the file. */
export function sharedSite(): SharedSite {
  shared ??= openShared()
  const { site, admin, connection } = shared
  const changed = new Set<OptionKey>()
  const set = async (key: OptionKey, value: string) => {
    await admin.call(api.updateOption, { body: { key, value } })
  }
  beforeAll(async () => {
    const { username, password } = SUPER_ADMIN
    if (admin.userId === undefined) await admin.login(username, password)
    else await admin.call(api.proveOwner, { body: { password } }) // the login may be older than ten minutes
  })
  afterAll(async () => {
    for (const key of [...changed].toReversed()) await set(key, BASELINE[key] ?? defaultOptionText(key))
    const channels = await connection.db.selectFrom('channel').select('id').execute()
    const ids = channels.map(({ id }) => id)
    if (ids.length > 0) await admin.call(api.deleteChannels, { body: { ids } })
  })
  return {
    ...site,
    db: connection.db,
    admin,
    async setOption(key, value) {
      changed.add(key)
      await set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
    },
    addUser: (options) => addUser(admin, options),
  }
}

function openShared() {
  const site = inject('sites')[Number(process.env.VITEST_POOL_ID) - 1]!
  return { site, admin: apiClient(site.url), connection: connectTo(site.env.DATABASE_URL!) }
}

async function addUser(
  admin: ApiClient,
  { name = 'user', quota = LARGE_QUOTA, group = 'default' }: UserOptions = {},
): Promise<SiteUser> {
  const username = `${name.slice(0, 5)}-${randomBytes(3).toString('hex')}` // 12 characters at most
  await admin.call(api.createUser, { body: { username, display_name: username, password: USER_PASSWORD } })
  const client = apiClient(admin.url)
  const { id, cookie } = await logIn(client, username)
  await admin.call(api.updateUser, { body: { id, username, display_name: username, group, quota } })
  return { id, username, client, cookie, key: (await addToken(client)).secret }
}

/** From its own address: an address may log in 20 times in 20 minutes, and the site trusts us as a proxy. */
async function logIn(client: ApiClient, username: string): Promise<{ id: number; cookie: string }> {
  const headers = {
    'x-forwarded-for': `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
  }
  const response = await client.open(api.login, { body: { username, password: USER_PASSWORD }, headers })
  const { id } = ((await response.json()) as { data: api.User }).data
  client.userId = id
  return { id, cookie: response.headers.getSetCookie()[0]!.split(';')[0]! }
}
