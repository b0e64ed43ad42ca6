import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../books.ts'

const POLL_INTERVAL_MS = 100

/** Polls every balance, token and lease. An unavailable database is polled again when it is back. */
export function watchBalances(db: Db) {
  const result = { lowest: 0, samples: 0 }
  const stopping = new AbortController()

  async function sample(): Promise<void> {
    const { rows } = await sql<{ lowest: number }>`
      select least(0, (select min(quota) from "user"), (select min(remain_quota) from token),
        (select min(amount) from credit_lease)) as lowest`.execute(db)
    result.lowest = Math.min(result.lowest, rows[0]!.lowest)
    result.samples += 1
  }

  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await sample().catch(() => {})
      await delay(POLL_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()

  return {
    /** The last poll must succeed: the database must be available. */
    async stop() {
      stopping.abort()
      await watching
      await sample()
      return result
    },
  }
}
