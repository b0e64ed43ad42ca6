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

/** A running server whose database the test can reach. */
export interface Site {
  readonly server: RunningServer
  /** What a command of the product needs to work on the same site. */
  readonly env: Record<string, string>
  readonly db: ThrowAwayDatabase['db']
  /** Not logged in until the site is set up. */
  readonly client: ApiClient
  /** Removes everything from Redis: rate limits and failed logins. */
  clearLimits(): Promise<void>
  close(): Promise<void>
}

export interface SiteOptions {
  /** More settings of the server's environment. */
  env?: Record<string, string>
}

/** Starts a server of its own with an empty database. Tests that need no other environment share one: `startConsole`. */
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
    const server = await startServer({ env: whole })
    return {
      server,
      env: whole,
      db: database.db,
      client: apiClient(server.url),
      clearLimits: () => redis.close(),
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

/** An ordinary user with the super admin's password: registration is not there yet. */
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

/** Ends every session of a user behind the user's back, as a ban or a change of password does. */
export async function revokeSessions({ db }: Pick<Site, 'db'>, username: string): Promise<void> {
  await sql`delete from session where user_id = (select id from "user" where username = ${username})`.execute(db)
}
