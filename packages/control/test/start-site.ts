import { randomBytes } from 'node:crypto'
import { DEFAULT_CELL, ROLES, type RoleName } from '@tidegate/contract'
import {
  ensureUsageLogPartitions,
  memoryLimiter,
  openVault,
  postgresLogStore,
  startSharedListener,
  startCatalogFeed,
  users,
} from '@tidegate/storage'
import { hash } from '@node-rs/argon2'
import { apiClient, workerDatabase, type ApiClient } from '@tidegate/testing'
import fastify from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { newInviteCode } from '../src/auth/registration/register.ts'
import type { Deps, SiteConfig } from '../src/deps.ts'
import { createAuthFailures } from '../src/auth/auth-failures.ts'
import { registerApi } from '../src/register-api.ts'
import { renderRouterError } from '../src/http/render-error.ts'

export const PASSWORD = 'spring-tide-42'
/** The cheapest argon2id parameters; verification uses those of the hash. */
const passwordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
const UNREACHABLE = 'http://127.0.0.1:9/no-listener'

/** Starts the control plane on its own port and database. */
export async function startTestSite({
  site,
  plugins = [],
  ...overrides
}: Partial<Omit<Deps, 'site'>> & { site?: Partial<SiteConfig>; plugins?: KyselyPlugin[] } = {}) {
  const database = await workerDatabase()
  const db = plugins.reduce((plugged, plugin) => plugged.withPlugin(plugin), database.db)
  const vault = openVault(randomBytes(32))
  const listener = await startSharedListener(database.newClient, { db: database.db })
  const feed = await startCatalogFeed({ db, vault, listener })
  const problems: object[] = []
  const deps: Deps = {
    authFailures: { record: (failure) => failures.record(failure), flush: () => failures.flush() },
    db,
    reportsDb: db,
    logs: postgresLogStore(db),
    reportLogs: postgresLogStore(db),
    vault,
    catalog: () => feed.current(),
    catchUp: (version) => feed.whenVersion(version),
    listener,
    limiter: memoryLimiter(),
    log: { info: () => {}, warn: () => {}, error: (details) => void problems.push(details) },
    now: () => new Date(),
    site: {
      version: '0.0.0-test',
      startTime: new Date(),
      cell: DEFAULT_CELL,
      databaseType: 'postgres',
      trustedProxies: undefined,
      apiLimit: { count: 0, windowSeconds: 0 },
      turnstileVerifyUrl: UNREACHABLE,
      signIn: { githubUrl: UNREACHABLE, githubApiUrl: UNREACHABLE, linuxDoUrl: UNREACHABLE },
      stripeUrl: 'http://127.0.0.1:9/no-listener',
      generateDefaultToken: false,
      allowPrivateFetches: false,
      notificationLimit: { count: 2, minutes: 10 },
      ...site,
    },
    ...overrides,
  }
  const failures = createAuthFailures(deps)
  const app = fastify({
    routerOptions: { ignoreTrailingSlash: true },
    bodyLimit: 1024 * 1024,
    frameworkErrors: renderRouterError(deps),
  })
  await registerApi(app, deps)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  return {
    app,
    url,
    deps,
    db,
    newClient: database.newClient,
    makePartition: (day: Date) => ensureUsageLogPartitions(db, { from: day, days: 1 }),
    /** Logged errors. */
    problems,
    /** A logged-in client of a new user with this role. */
    async signedIn(role: RoleName, fields: { status?: number } = {}): Promise<ApiClient & { username: string }> {
      const username = `u${randomBytes(4).toString('hex')}`
      await users.insert(db, {
        username,
        display_name: username,
        password_hash: await passwordHash,
        role: ROLES[role],
        aff_code: newInviteCode(),
        ...fields,
      })
      const client = apiClient(url)
      await client.login(username, PASSWORD)
      return Object.assign(client, { username })
    },
    /** Marks the site as initialised without a super admin. */
    async initialise(): Promise<void> {
      await db.insertInto('setup').values({ version: 'test' }).execute()
    },
    async close(): Promise<void> {
      await app.close()
      await failures.flush()
      await feed.stop()
      await listener.stop()
      await database.close()
    },
  }
}

export type TestSite = Awaited<ReturnType<typeof startTestSite>>
