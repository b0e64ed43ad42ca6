import { api } from '@tidegate/contract'
import { addToken, apiClient, fakeUpstream, type ApiClient, type FakeUpstream } from '@tidegate/testing'
import { setBalance } from '../books.ts'
import { scriptKinds } from '../load.ts'
import { seedSite, openSite, type Site } from '../site.ts'
import { startFleet, type Fleet } from './fleet.ts'

/** Where the services of a site are, if not at the default. */
export interface FaultEnvironment {
  /** A private PostgreSQL server, possibly behind a proxy. */
  postgresUrl?: string
  /** Addresses of database servers that the processes use instead of the one in `postgresUrl`. */
  databaseHosts?: string
  redisUrl?: string
  /** Additional environment variables for every process. */
  env?: Record<string, string>
  /** Puts something between the gateways and the upstream. Returns the address to use. */
  reachUpstream?(url: string): Promise<string>
  /** Mounts a separate disk for the data directory before the first process starts. */
  mountDisk?(dataDirectory: string): Promise<void>
  /** Called when the last process has ended. */
  unmountDisk?(): Promise<void>
}

/** A seeded site under observation: two gateways, control, worker, users, and an upstream that counts requests. */
export interface FaultSite {
  readonly site: Site
  readonly upstream: FakeUpstream
  readonly fleet: Fleet
  readonly administrator: ApiClient
  readonly keys: readonly string[]
  close(): Promise<void>
}

/** The first users have plenty; the others run out of credit during the run, one after the other. */
export const LARGE_ACCOUNTS = 2
const BALANCES = [10_000_000, 10_000_000, 2_000, 4_000, 6_000, 8_000]
const PASSWORD = 'spring-tide-43'
/** Never reached. They make every request ask Redis. */
const WIDE_LIMITS = { tokens_per_minute: 10_000_000, max_concurrency: 1_000 }

export async function openFaultSite(environment: FaultEnvironment): Promise<FaultSite> {
  const upstream = await fakeUpstream()
  const site = await onServer(environment.postgresUrl, () => openSite({ redisUrl: environment.redisUrl }))
  let fleet: Fleet | undefined
  const close = async () => {
    await fleet?.kill()
    await environment.unmountDisk?.()
    await site.close()
    await upstream.close()
  }
  try {
    await environment.mountDisk?.(site.dataDirectory)
    fleet = await startFleet(site, {
      ...environment.env,
      ...(environment.databaseHosts !== undefined && {
        DATABASE_URL: site.env.DATABASE_URL!.replace(/@[^/]+/, `@${environment.databaseHosts}`),
      }),
    })
    const url = (await environment.reachUpstream?.(upstream.url)) ?? upstream.url
    const { client } = await seedSite(fleet.control.url, { url })
    const keys: string[] = []
    for (const [index, balance] of BALANCES.entries()) keys.push(await addUser(site, client, `user-${index}`, balance))
    scriptKinds(upstream)
    return { site, upstream, fleet, administrator: client, keys, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function addUser(site: Site, administrator: ApiClient, username: string, balance: number): Promise<string> {
  await administrator.call(api.createUser, { body: { username, display_name: username, password: PASSWORD } })
  const client = apiClient(administrator.url)
  const { id } = await client.login(username, PASSWORD)
  await setBalance(site.database.db, id, balance)
  // Every second user has a token with its own quota, as low as the user's.
  const limited = id % 2 === 0 && { unlimited_quota: false, remain_quota: balance }
  return (await addToken(client, { ...WIDE_LIMITS, ...limited })).secret
}

/** Creates the database on another server than the one of the tests. */
async function onServer<Result>(url: string | undefined, work: () => Promise<Result>): Promise<Result> {
  const usual = process.env.TEST_DATABASE_URL
  if (url !== undefined) process.env.TEST_DATABASE_URL = url
  try {
    return await work()
  } finally {
    if (usual === undefined) delete process.env.TEST_DATABASE_URL
    else process.env.TEST_DATABASE_URL = usual
  }
}
