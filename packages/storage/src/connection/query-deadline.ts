import { ApiError } from '@tidegate/contract'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { startDeadline } from './deadline.ts'

/** The `Retry-After` value when the database does not respond. */
export const UNAVAILABLE_RETRY_SECONDS = 5

/** Members of a `pg` client that its types do not declare. */
type InternalClient = PoolClient & {
  readonly connection: { readonly stream: { readonly destroyed: boolean; destroy(error: Error): void } }
}

interface DeadlineClient extends PostgresPoolClient {
  /** Subtracts the time spent waiting for the connection from the deadline of the next query. */
  spend(milliseconds: number): void
}

/**
 * The same pool for requests that a client waits for. A query that misses the deadline fails with
 * `service_unavailable`, as it does when the server is unreachable. The connection is closed, because a late response
 * or an open transaction may remain on it. The server may still have executed the query.
 */
export function poolWithDeadline(pool: Pool, deadlineMs: number): PostgresPool {
  const wrapped = new WeakMap<PoolClient, DeadlineClient>()
  return {
    options: pool.options,
    async connect() {
      const startedAt = performance.now()
      const client = await acquire(pool, deadlineMs)
      let wrappedClient = wrapped.get(client)
      if (!wrappedClient) wrapped.set(client, (wrappedClient = clientWithDeadline(client, deadlineMs)))
      wrappedClient.spend(performance.now() - startedAt)
      return wrappedClient
    },
    end: async () => {}, // the owner of the pool ends it
  }
}

/** Waiting for a connection counts against the deadline. A connection that arrives too late returns to the pool. */
function acquire(pool: Pool, deadlineMs: number): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let late = false
    const stopDeadline = startDeadline(deadlineMs, () => {
      late = true
      reject(unavailable(new Error(`no database connection within ${deadlineMs} ms`)))
    })
    pool.connect().then(
      (client) => {
        stopDeadline()
        if (late) client.release()
        else resolve(client)
      },
      (error: unknown) => {
        stopDeadline()
        reject(unavailable(error))
      },
    )
  })
}

function clientWithDeadline(client: InternalClient, deadlineMs: number): DeadlineClient {
  const { stream } = client.connection
  const expire = () => stream.destroy(new Error(`the database did not respond within ${deadlineMs} ms`))
  let spentMs = 0
  async function query(statement: string, parameters: unknown[]) {
    const stopDeadline = startDeadline(deadlineMs - spentMs, expire)
    spentMs = 0
    try {
      return await client.query(statement, parameters)
    } catch (error) {
      throw stream.destroyed || isConnectionError(error) ? unavailable(error) : error
    } finally {
      stopDeadline()
    }
  }
  return {
    // Kysely passes a cursor only when one is configured.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(),
    spend: (milliseconds) => void (spentMs = milliseconds),
  }
}

/** Errors of a server that cannot be reached, or does not respond in time. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
])

/** Whether a query with a deadline failed because the database is away, and not because of the credentials. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'service_unavailable') return false
  const { code } = error.cause as { code?: string }
  // Time limits and closed connections have no code.
  return code === undefined || isConnectionError(error.cause) || NETWORK_CODES.has(code)
}

/** The server closed or rejected the connection: connection exceptions, shutdown, too many clients, no primary. */
function isConnectionError(error: unknown): boolean {
  return /^(08...|57P0.|53300|25006)$/.test(String((error as { code?: unknown }).code))
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('service_unavailable', {}, { cause, retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS })
}
