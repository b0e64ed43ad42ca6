import { randomBytes } from 'node:crypto'
import { type RunningServer, type ServerOptions, startServer } from './server.ts'
import { migratedTemplate, throwAwayDatabase } from './databases/throw-away-database.ts'
import { throwAwayRedis } from './databases/throw-away-redis.ts'

/** Services of a server as environment variables, and their cleanup. */
export interface Services {
  readonly env: Record<string, string>
  close(): Promise<void>
}

/** A new database and key prefix in the test PostgreSQL and Redis. */
export async function withServices(): Promise<Services> {
  // The server migrates it, unless the run has a migrated template, which halves the start time.
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

/** No services: embedded database, and rate limits in memory. */
export async function openWithoutServices(): Promise<Services> {
  return { env: {}, close: async () => {} }
}

/** Both deployments of the product; some suites run for each. */
export const DEPLOYMENTS = [
  { name: 'on PostgreSQL and Redis', open: withServices, databaseType: 'postgres' },
  { name: 'by itself', open: openWithoutServices, databaseType: 'embedded' },
] as const

/** Starts a server with its services; stopping it removes both. */
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

/** A MySQL or MariaDB server for tests, if available. */
export const MYSQL_URL = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306'
