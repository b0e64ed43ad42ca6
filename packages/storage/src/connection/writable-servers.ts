import { logEvent, type Log } from '@tidegate/contract'
import type { Pool, PoolConfig } from 'pg'
import { startDeadline } from './deadline.ts'
import { hasCode, READ_ONLY_TRANSACTION } from './error-codes.ts'
import { takesWrites, type InternalClient, type Servers } from './servers.ts'

const VERIFY_MS = 2_000

/**
 * Rejects new connections to a server that takes no writes: a standby, or a primary that was demoted. A load balancer
 * may lead there for a moment during a failover.
 */
export function requireWritable(servers: Servers | undefined): NonNullable<PoolConfig['verify']> {
  return (client, done) => {
    const { stream } = (client as unknown as InternalClient).connection
    const stopDeadline = startDeadline(VERIFY_MS, () => stream.destroy(new Error('the server does not respond')))
    const fail = (error: unknown) => {
      servers?.check()
      done(error as Error)
    }
    takesWrites(client)
      .then((writable) => (writable ? done(undefined) : fail(new ReadOnlyServer())), fail)
      .finally(stopDeadline)
  }
}

class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  readonly code = READ_ONLY_TRANSACTION

  constructor() {
    super('the server takes no writes')
  }
}

/**
 * Ends all connections when a server reports that it takes no writes any more. Its connections still work, so the pool
 * would keep them, although the address leads to another server now.
 */
export function leaveReadOnlyServers(pool: Pool, servers: Servers | undefined, log: Log | undefined): void {
  const clients = new Set<InternalClient>()
  pool.on('remove', (client) => clients.delete(client as unknown as InternalClient))
  pool.on('connect', (client) => {
    clients.add(client as unknown as InternalClient)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const result = query(...args)
      if (result instanceof Promise) result.catch(onError)
      return result
    }) as typeof client.query
  })

  function onError(error: unknown): void {
    if (!hasCode(error, READ_ONLY_TRANSACTION) || clients.size === 0) return
    logEvent(log, 'database.read_only', { connections: clients.size })
    servers?.check()
    for (const { connection } of clients) connection.stream.destroy(new ReadOnlyServer())
    clients.clear()
  }
}
