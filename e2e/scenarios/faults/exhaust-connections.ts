import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

const GREEDY_EVERY_MS = 20

/** Takes every connection of a server, also those of others, and holds them until it is stopped. */
export function exhaustConnections(url: string) {
  const held: Client[] = []
  const leaving = new AbortController()

  /** False when the server had no connection left. */
  async function takeOne(): Promise<boolean> {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      held.push(client)
      return true
    } catch {
      return false
    }
  }

  const staying = (async () => {
    while (await takeOne());
    // Existing clients lose their connections and find none free when they reconnect.
    await held[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and application_name = 'tidegate'`,
    )
    while (!leaving.signal.aborted) {
      if (!(await takeOne())) await delay(GREEDY_EVERY_MS)
    }
  })()

  return {
    async leave() {
      leaving.abort()
      await staying
      await Promise.all(held.map((client) => client.end().catch(() => {})))
    },
  }
}
