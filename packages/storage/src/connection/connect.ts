import { logEvent, type Log } from '@tidegate/contract'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool, type ClientConfig } from 'pg'
import { poolWithDeadline } from './query-deadline.ts'
import { clientOfPrimary, readServers, watchServers, type Servers } from './servers.ts'
import { typeParsers } from './values.ts'
import { watchConnections } from './watch-connections.ts'
import { leaveReadOnlyServers, requireWritable } from './writable-servers.ts'
import type { Database } from '../schema/index.ts'

/** A connection or a transaction; queries accept both. */
export type Db = Kysely<Database>

export interface ConnectOptions {
  /** `postgres://…`. Without it, `socketDir` is the directory of the server's socket. */
  url?: string
  socketDir?: string
  user?: string
  database?: string
  poolSize: number
  /** Shown in `pg_stat_activity`. */
  applicationName: string
  connectTimeoutMs?: number
  log?: Log
}

export interface DatabaseHandle {
  readonly db: Db
  readonly pool: Pool
  /** The same pool with a deadline: a query that takes longer fails with 503. For work that a client waits for. */
  withDeadline(milliseconds: number): Db
  /** Creates a separate client that is not connected yet. LISTEN needs one that never returns to the pool. */
  newClient(): Client
  close(): Promise<void>
}

/** Opens a pool. It connects with the first query. */
export function connectDatabase(options: ConnectOptions): DatabaseHandle {
  const { config, servers } = clientConfig(options)
  const PoolClient = servers ? clientOfPrimary(servers) : Client
  const verify = requireWritable(servers)
  const pool = new Pool({ ...config, max: options.poolSize, pipeline: true, verify, Client: PoolClient })
  leaveReadOnlyServers(pool, servers, options.log)
  // The pool replaces a broken connection, but without a listener its error would end the process. The pool listens
  // only on idle connections, so each client needs its own listener for errors between two queries of a transaction.
  pool.on('error', (error) => {
    if (pool.ending) return // already closing: a server that stops at the same time may end the connection first
    delete (error as { client?: unknown }).client // the pool attaches the whole client, which would fill the log line
    logEvent(options.log, 'database.connection_lost', { err: error })
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  const newClient = () => new PoolClient(config)
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

/** Throws unless the database responds. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** With `servers` if the address names several. */
function clientConfig(options: ConnectOptions): { config: ClientConfig; servers?: Servers } {
  const common = {
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    types: typeParsers,
  }
  if (options.url !== undefined) {
    const { servers, url } = readServers(options.url)
    const config = { connectionString: url, ...common }
    return servers.length > 1 ? { config, servers: watchServers(servers, config) } : { config }
  }
  if (options.socketDir === undefined) throw new Error('connectDatabase needs a url or a socketDir')
  const config = {
    host: options.socketDir,
    port: 5432, // part of the socket file name; set here so that PGPORT cannot change it
    ssl: false,
    user: options.user ?? 'postgres',
    database: options.database ?? 'postgres',
    ...common,
  }
  return { config }
}

async function closePool(db: Db, pool: Pool): Promise<void> {
  await db.destroy()
  // Kysely ends the pool only after its first query.
  if (!pool.ended && !pool.ending) await pool.end()
}
