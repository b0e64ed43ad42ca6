import type { Client, Pool, PoolClient } from 'pg'
import type { Log } from '../log.ts'

export interface WatchOptions {
  log?: Log
  /** Whoever has had a connection for longer may be waiting for an answer that will never come. */
  suspectAfterMs?: number
}

/** What `pg` knows of a connection and its types do not tell. */
type InternalClient = PoolClient & {
  readonly processID: number | null
  readonly connection: { readonly stream: { destroy(error: Error): void } }
}

/**
 * Ends connections whose server has vanished without a word, as when a machine loses power and another takes its
 * address: the kernel would wait a quarter of an hour for them, or for ever. A long query looks the same from here, so a
 * new connection is made to ask whether the server still knows it. Answers the way to stop watching.
 */
export function watchConnections(pool: Pool, newClient: () => Client, options: WatchOptions = {}): () => void {
  const { log, suspectAfterMs = 5_000 } = options
  const heldSince = new Map<PoolClient, number>()
  pool.on('acquire', (client) => heldSince.set(client, performance.now()))
  pool.on('release', (_error, client) => heldSince.delete(client))
  pool.on('remove', (client) => heldSince.delete(client))

  async function endDead(suspects: readonly InternalClient[]): Promise<void> {
    const known = await listServerProcesses(newClient())
    const dead = suspects.filter((client) => heldSince.has(client) && known?.has(client.processID!) === false)
    if (dead.length === 0) return
    log?.warn({ connections: dead.length }, 'database connections were ended: the server does not know them')
    for (const { connection } of dead) connection.stream.destroy(new Error('the server has vanished'))
  }

  let checking = false
  const timer = setInterval(() => {
    const longAgo = performance.now() - suspectAfterMs
    const suspects = [...heldSince].filter(([, since]) => since < longAgo).map(([client]) => client as InternalClient)
    if (suspects.length === 0 || checking) return
    checking = true
    endDead(suspects)
      .catch(() => {}) // a server that cannot be reached says nothing about its connections
      .finally(() => (checking = false))
  }, suspectAfterMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Undefined behind a pooler, which gives its clients numbers of its own. */
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
