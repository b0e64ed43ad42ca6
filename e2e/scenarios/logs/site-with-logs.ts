import { apiClient, fakeUpstream, type ApiClient, type RunningServer } from '@tidegate/testing'
import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import { setBalance } from '../books.ts'
import { seedSite, openSite, type Site } from '../site.ts'
import { INSPECTABLE, openServerMemory, type ServerMemory } from '../streams/server-memory.ts'
import { fillSite, type SiteSize } from './fill.ts'

export interface SiteWithLogs {
  readonly site: Site
  readonly server: RunningServer
  readonly memory: ServerMemory
  readonly administrator: ApiClient
  /** The user with the most requests. */
  readonly user: ApiClient
  close(): Promise<void>
}

const PASSWORD = 'spring-tide-42'
const LARGE_QUOTA = 1_000_000_000

/** A running site with old logs. */
export async function openSiteWithLogs(size: SiteSize, log: (line: string) => void): Promise<SiteWithLogs> {
  const upstream = await fakeUpstream()
  const site = await openSite()
  let server: RunningServer | undefined
  let memory: ServerMemory | undefined
  const close = async () => {
    memory?.close()
    await server?.stop()
    await Promise.all([site.close(), upstream.close()])
  }
  try {
    server = await site.start({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', ...INSPECTABLE } })
    const { client, userId } = await seedSite(server.url, upstream)
    await setBalance(site.database.db, userId, LARGE_QUOTA)
    await fillSite(site.database, size, new Date(), log)
    memory = await openServerMemory(server)
    const user = await signInAsFirst(site, client, server.url)
    return { site, server, memory, administrator: client, user, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Generated users have no passwords; the first one gets one. */
async function signInAsFirst({ database: { db } }: Site, administrator: ApiClient, url: string): Promise<ApiClient> {
  await administrator.call(api.createUser, { body: { username: 'lender', password: PASSWORD, display_name: 'lender' } })
  await sql`
    update "user" set password_hash = (select password_hash from "user" where username = 'lender')
    where username = 'user1000'`.execute(db)
  const client = apiClient(url)
  await client.login('user1000', PASSWORD)
  return client
}
