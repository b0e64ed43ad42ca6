import { logEvent, type Log } from '@tidegate/contract'
import type { Client, Pool, PoolClient } from 'pg'
import type { InternalClient } from './servers.ts'

export interface WatchOptions {
  log?: Log
  /** A connection that has been in use for longer is checked. */
  suspectAfterMs?: number
}

/**
 * Ends connections whose server vanished without closing them, for example after a power failure with failover to the
 * same address. The kernel would wait 15 minutes or forever. A long query looks the same, so a new connection asks the
 * server whether it still knows the process. Returns a function that stops watching.
 */
export function watchConnections(pool: Pool, newClient: () => Client, options: WatchOptions = {}): () => void {
  const { log, suspectAfterMs = 5_000 } = options
  const heldSince = new Map<PoolClient, number>()
  pool.on('acquire', (client) => heldSince.set(client, performance.now()))
  pool.on('release', (_error, client) => heldSince.delete(client))
  pool.on('remove', (client) => heldSince.delete(client))

  async function endDead(suspects: readonly InternalClient[]): Promise<void> {
    const known = await listServerProcesses(newClient())
    const dead = suspects.filter(
      (client) => heldSince.has(client as unknown as PoolClient) && known?.has(client.processID!) === false,
    )
    if (dead.length === 0) return
    logEvent(log, 'database.connections_ended', { connections: dead.length })
    for (const { connection } of dead) connection.stream.destroy(new Error('the server has vanished'))
  }

  let checking = false
  const timer = setInterval(() => {
    const longAgo = performance.now() - suspectAfterMs
    const suspects = [...heldSince]
      .filter(([, since]) => since < longAgo)
      .map(([client]) => client as unknown as InternalClient)
    if (suspects.length === 0 || checking) return
    checking = true
    endDead(suspects)
      .catch(() => {}) // an unreachable server cannot report its connections
      .finally(() => (checking = false))
  }, suspectAfterMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** The process IDs that the server knows. Undefined behind a pooler, which reports its own IDs. */
async function listServerProcesses(client: Client): Promise<Set<number> | undefined> {
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; own: number }>(
      'select pid, pg_backend_pid() as own from pg_stat_activity',
    )
    const isDirect = rows[0]?.own === (client as unknown as InternalClient).processID
    return isDirect ? new Set(rows.map(({ pid }) => pid)) : undefined
  } finally {
    client.end().catch(() => {})
  }
}
