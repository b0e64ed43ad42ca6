import { randomBytes } from 'node:crypto'
import {
  apiClient,
  type ApiClient,
  type RunningServer,
  startServer,
  SUPER_ADMIN,
  throwAwayDatabase,
  type ThrowAwayDatabase,
  throwAwayRedis,
} from '@tidegate/testing'
import { sql } from 'kysely'
import { closeProfiles } from './browser.ts'

/** A running server with a database that the test can use. */
export interface Site {
  readonly server: RunningServer
  /** The environment for commands of the product on the same site. */
  readonly env: Record<string, string>
  readonly db: ThrowAwayDatabase['db']
  /** Not logged in until the site is set up. */
  readonly client: ApiClient
  /** Removes everything from Redis: rate limits and failed logins. */
  clearLimits(): Promise<void>
  /** Stops the server, runs `whileStopped`, and starts it again at the same address. */
  restart(whileStopped: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export interface SiteOptions {
  /** Additional environment variables of the server. */
  env?: Record<string, string>
}

/** Starts a private server with an empty database. Tests that need no other environment share one: `startConsole`. */
export async function openSite({ env = {} }: SiteOptions = {}): Promise<Site> {
  const database = await throwAwayDatabase({ poolSize: 1 })
  const redis = throwAwayRedis()
  const removeServices = () => Promise.all([database.close(), redis.close()])
  try {
    const whole = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TIDEGATE_REDIS_PREFIX: redis.prefix,
      TIDEGATE_SECRET: randomBytes(32).toString('hex'),
      ...env,
    }
    let server = await startServer({ env: whole })
    return {
      get server() {
        return server
      },
      env: whole,
      db: database.db,
      client: apiClient(server.url),
      clearLimits: () => redis.close(),
      async restart(whileStopped) {
        await server.stop()
        await whileStopped()
        server = await startServer({ env: { ...whole, PORT: String(server.port) } })
      },
      async close() {
        await closeProfiles(server.port)
        await server.stop()
        await removeServices()
      },
    }
  } catch (error) {
    await removeServices()
    throw error
  }
}

/** An ordinary user with the super admin's password. */
export async function addOrdinaryUser({ db }: Pick<Site, 'db'>, username: string): Promise<Credentials> {
  await sql`
    insert into "user" (username, display_name, password_hash, aff_code, role)
    select ${username}, ${username}, password_hash, ${username}, 1 from "user" where username = ${SUPER_ADMIN.username}
  `.execute(db)
  return { username, password: SUPER_ADMIN.password }
}

export interface Credentials {
  username: string
  password: string
}

/** Ends every session of a user on the server, like a ban or a password change. */
export async function revokeSessions({ db }: Pick<Site, 'db'>, username: string): Promise<void> {
  await sql`delete from session where user_id = (select id from "user" where username = ${username})`.execute(db)
}
