import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../books.ts'

const LOOK_EVERY_MS = 100

/** Looks at every balance, token and lease again and again. A database that is away is looked at when it is back. */
export function watchBalances(db: Db) {
  const seen = { lowest: 0, looks: 0 }
  const stopping = new AbortController()

  async function look(): Promise<void> {
    const { rows } = await sql<{ lowest: number }>`
      select least(0, (select min(quota) from "user"), (select min(remain_quota) from token),
        (select min(amount) from credit_lease)) as lowest`.execute(db)
    seen.lowest = Math.min(seen.lowest, rows[0]!.lowest)
    seen.looks += 1
  }

  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch(() => {})
      await delay(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()

  return {
    /** The last look is one that succeeded: the database must be there. */
    async stop() {
      stopping.abort()
      await watching
      await look()
      return seen
    },
  }
}
