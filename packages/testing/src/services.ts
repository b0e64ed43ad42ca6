import { randomBytes } from 'node:crypto'
import { type RunningServer, type ServerOptions, startServer } from './server.ts'
import { migratedTemplate, throwAwayDatabase } from './databases/throw-away-database.ts'
import { throwAwayRedis } from './databases/throw-away-redis.ts'

/** What a server runs on, as environment variables, and how to remove it afterwards. */
export interface Services {
  readonly env: Record<string, string>
  close(): Promise<void>
}

/** A database and a key prefix of one's own on the PostgreSQL and Redis of this machine. */
export async function withServices(): Promise<Services> {
  // The server migrates it, unless the run shares a database where that is done: half the time of its start.
  const database = await throwAwayDatabase({ migrate: migratedTemplate() !== undefined, poolSize: 1 })
  const redis = throwAwayRedis()
  return {
    env: {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TIDEGATE_REDIS_PREFIX: redis.prefix,
      TIDEGATE_SECRET: randomBytes(32).toString('hex'),
    },
    async close() {
      await Promise.all([database.close(), redis.close()])
    },
  }
}

/** Neither: the server starts its own database and keeps limits in memory. */
export async function embedded(): Promise<Services> {
  return { env: {}, close: async () => {} }
}

/** Both ways to run the product; suites that must hold for both run once for each. */
export const FLAVOURS = [
  { name: 'on PostgreSQL and Redis', open: withServices, databaseType: 'postgres' },
  { name: 'by itself', open: embedded, databaseType: 'embedded' },
] as const

/** A server together with what it runs on; stopping it removes both. */
export async function startServerOn(
  open: () => Promise<Services>,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const services = await open()
  try {
    const server = await startServer({ ...options, env: { ...services.env, ...options.env } })
    return {
      ...server,
      async stop(signal) {
        const code = await server.stop(signal)
        await services.close()
        return code
      },
      async kill() {
        await server.kill()
        await services.close()
      },
    }
  } catch (error) {
    await services.close()
    throw error
  }
}

/** A MySQL or MariaDB in which tests may make databases, where there is one. */
export const MYSQL_URL = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306'
