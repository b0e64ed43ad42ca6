import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool, type ClientConfig } from 'pg'
import type { Log } from '../log.ts'
import { poolWithDeadline } from './query-deadline.ts'
import { typeParsers } from './values.ts'
import { watchConnections } from './watch-connections.ts'
import type { Database } from '../schema/index.ts'

/** A connection or a transaction: queries take either. */
export type Db = Kysely<Database>

export interface ConnectOptions {
  /** `postgres://…`; without it, `socketDir` says where the server listens. */
  url?: string
  socketDir?: string
  user?: string
  database?: string
  poolSize: number
  /** What an operator sees in `pg_stat_activity`. */
  applicationName: string
  connectTimeoutMs?: number
  log?: Log
}

export interface DatabaseHandle {
  readonly db: Db
  readonly pool: Pool
  /** The same pool for requests: a query that is not answered within so many milliseconds fails with 503. */
  withDeadline(milliseconds: number): Db
  /** A connection of its own, not yet connected: LISTEN needs one that is never given back. */
  newClient(): Client
  close(): Promise<void>
}

/** Opens a pool. Nothing is dialled before the first query. */
export function connectDatabase(options: ConnectOptions): DatabaseHandle {
  const config = clientConfig(options)
  const pool = new Pool({ ...config, max: options.poolSize })
  // A connection that breaks is replaced by the pool; without listeners its error would end the process. The pool
  // listens only while a connection is idle, so one that breaks between two queries of a transaction needs its own.
  pool.on('error', (error) => {
    if (pool.ending) return // given up already: a server that stops right after us may end it first
    delete (error as { client?: unknown }).client // the pool hangs the whole connection on it, kilobytes of the line
    options.log?.warn({ err: error }, 'an idle database connection was lost')
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  const newClient = () => new Client(config)
  const stopWatching = watchConnections(pool, newClient, { log: options.log })
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  let closing: Promise<void> | undefined
  return {
    db,
    pool,
    withDeadline: (milliseconds) =>
      new Kysely({ dialect: new PostgresDialect({ pool: poolWithDeadline(pool, milliseconds) }) }),
    newClient,
    close: () => (closing ??= closePool(db, pool).finally(stopWatching)),
  }
}

/** Throws unless the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

function clientConfig(options: ConnectOptions): ClientConfig {
  if (options.url === undefined && options.socketDir === undefined) {
    throw new Error('connectDatabase needs a url or a socketDir')
  }
  const target =
    options.url === undefined
      ? {
          host: options.socketDir,
          port: 5432, // names the socket file; said here so that PGPORT has no say
          ssl: false,
          user: options.user ?? 'postgres',
          database: options.database ?? 'postgres',
        }
      : { connectionString: options.url }
  return {
    ...target,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    types: typeParsers,
  }
}

async function closePool(db: Db, pool: Pool): Promise<void> {
  await db.destroy()
  // Kysely ends the pool only after its first query.
  if (!pool.ended && !pool.ending) await pool.end()
}
