import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { LogStoreUnavailable } from '../log-store.ts'
import { compile, type ClickHouse } from './query.ts'
import { migrateClickHouse } from './schema.ts'

export type { ClickHouse } from './query.ts'

interface ClickHouseOptions {
  /** `clickhouse://user:password@host:8123/database`; `clickhouses:` uses TLS. */
  readonly url: string
  /** Of a query. Other statements have a minute. */
  readonly timeoutMs: number
}

const CHANGE_TIMEOUT_MS = 60_000

/** Connects with the first use, because the server may be away, and sites without ClickHouse do not load its library. */
export function connectClickHouse(options: ClickHouseOptions): ClickHouse {
  const { database } = readUrl(options.url)
  let opening: Promise<Clients> | undefined
  let prepared: Promise<void> | undefined

  async function guarded<Result>(work: (clients: Clients) => Promise<Result>): Promise<Result> {
    const clients = await (opening ??= openClients(options))
    try {
      await (prepared ??= prepare(clients, database))
      return await work(clients)
    } catch (error) {
      if (!clients.isAway(error)) throw error
      throw new LogStoreUnavailable('ClickHouse does not respond', { cause: error })
    }
  }

  async function prepare(clients: Clients, name: string): Promise<void> {
    try {
      await createDatabase(clients, name)
      await migrateClickHouse(statementsOf(clients))
    } catch (error) {
      prepared = undefined
      throw error
    }
  }

  return {
    database,
    rows: (statement) => guarded((clients) => statementsOf(clients).rows(statement)),
    run: (statement) => guarded((clients) => statementsOf(clients).run(statement)),
    insert: (token, lines) => guarded((clients) => insertLines(clients.changes, token, lines)),
    async close() {
      const clients = await opening?.catch(() => undefined)
      await Promise.all([clients?.queries.close(), clients?.changes.close()])
    },
  }
}

interface Clients {
  readonly queries: ClickHouseClient
  readonly changes: ClickHouseClient
  /** Whether the same statement may succeed later. */
  isAway(error: unknown): boolean
  withoutDatabase(): ClickHouseClient
}

async function openClients({ url, timeoutMs }: ClickHouseOptions): Promise<Clients> {
  const { createClient, ClickHouseError, ClickHouseLogLevel } = await import('@clickhouse/client')
  const { database, ...address } = readUrl(url)
  const connection = {
    ...address,
    application: 'tidegate',
    log: { level: ClickHouseLogLevel.OFF }, // callers log what fails
    compression: { request: true, response: true },
  }
  const settings = { output_format_json_quote_64bit_integers: 0 as const }
  const max_execution_time = Math.max(1, Math.ceil(timeoutMs / 1000))
  return {
    queries: createClient({
      ...connection,
      database,
      request_timeout: timeoutMs,
      clickhouse_settings: { ...settings, max_execution_time },
    }),
    changes: createClient({ ...connection, database, request_timeout: CHANGE_TIMEOUT_MS }),
    isAway: (error) =>
      error instanceof ClickHouseError ? BUSY_CODES.has(error.code) : isConnectionError(error as ConnectionError),
    withoutDatabase: () => createClient({ ...connection, request_timeout: CHANGE_TIMEOUT_MS }),
  }
}

function statementsOf({ queries, changes }: Clients): Pick<ClickHouse, 'rows' | 'run'> {
  return {
    async rows(statement) {
      const result = await queries.query({ ...compile(statement), format: 'JSONEachRow' })
      return result.json()
    },
    run: async (statement) => void (await changes.command(compile(statement))),
  }
}

async function insertLines(client: ClickHouseClient, token: string, lines: readonly string[]): Promise<void> {
  const { stream } = await client.exec({
    query: 'insert into usage_log format JSONEachRow',
    values: Readable.from(lines.map((line) => Buffer.from(line))),
    clickhouse_settings: {
      insert_deduplication_token: token,
      insert_deduplicate: 1,
      async_insert: 0,
      wait_end_of_query: 1,
      input_format_skip_unknown_fields: 0,
    },
  })
  await finished(stream.resume())
}

/** A user without this right needs a database that exists, which the next statement shows. */
async function createDatabase({ withoutDatabase, isAway }: Clients, database: string): Promise<void> {
  const client = withoutDatabase()
  try {
    await client.command({ query: `create database if not exists \`${database}\`` })
  } catch (error) {
    if (isAway(error)) throw error
  } finally {
    await client.close()
  }
}

/** Out of time, connections, memory or disk, or read-only: the same statement succeeds later. */
const BUSY_CODES = new Set(['159', '160', '164', '202', '203', '209', '210', '241', '242', '243', '252', '319'])

interface ConnectionError {
  readonly code?: string
  readonly message?: string
}

/** The client has no class for errors of its connection. */
function isConnectionError({ code, message = '' }: ConnectionError): boolean {
  return code !== undefined || /timeout|socket|aborted|closed/i.test(message)
}

function readUrl(text: string) {
  const { protocol, username, password, host, pathname } = new URL(text)
  return {
    url: `${protocol === 'clickhouses:' ? 'https' : 'http'}://${host}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || 'default',
  }
}

/** Whether a text is the address of a database of ClickHouse. */
export function isClickHouseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname } = new URL(text)
  return ['clickhouse:', 'clickhouses:'].includes(protocol) && hostname !== '' && /^\/?\w*$/.test(pathname)
}
