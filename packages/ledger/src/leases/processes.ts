import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { releaseHolder } from './lease-rows.ts'

/** How long the leases of a process outlive its last sign of life. */
export const LEASE_SECONDS = 90

export async function registerProcess(db: Db, holder: string): Promise<void> {
  await db
    .insertInto('gateway_process')
    .values({ holder })
    .onConflict((conflict) => conflict.column('holder').doUpdateSet({ heartbeat_at: sql`now()` }))
    .execute()
}

/** A sign of life. False when it came too late: what the process held has been given back. */
export async function sendHeartbeat(db: Db, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('gateway_process')
    .set({ heartbeat_at: sql`now()` })
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Longer than a living process is silent for. */
const NEXT_HEARTBEAT_MS = 12_000

interface WaitOptions {
  /** Waits until every living process has given a sign of life. */
  wait?(): Promise<void>
}

const waitForHeartbeat = () => delay(NEXT_HEARTBEAT_MS)

/**
 * Gives back what processes hold that have not been heard of. Answers how many leases that were. A clock that is set
 * forward makes everybody look late, so those who are get the time for one more sign.
 */
export async function reclaimLapsed(db: Db, { wait = waitForHeartbeat }: WaitOptions = {}): Promise<number> {
  const expired = await findExpired(db)
  if (expired.length === 0) return 0
  await wait()
  const stillExpired = new Set(await findExpired(db))
  let reclaimed = 0
  for (const holder of expired) if (stillExpired.has(holder)) reclaimed += await releaseHolder(db, holder)
  return reclaimed
}

/** The process is not known any more, or has not been heard of and gives no sign now either. */
export async function isExpired(
  db: Db,
  holder: string,
  { wait = waitForHeartbeat }: WaitOptions = {},
): Promise<boolean> {
  if (!(await isKnown(db, holder))) return true
  if (!(await findExpired(db)).includes(holder)) return false
  await wait()
  return !(await isKnown(db, holder)) || (await findExpired(db)).includes(holder)
}

/** Those that were heard of too long ago, and those that hold credit though they are not known: both may be gone. */
async function findExpired(db: Db): Promise<string[]> {
  const { rows } = await sql<{ holder: string }>`
    select holder from gateway_process where heartbeat_at < now() - make_interval(secs => ${LEASE_SECONDS})
    union
    select holder from credit_lease l where not exists (select from gateway_process p where p.holder = l.holder)`.execute(
    db,
  )
  return rows.map(({ holder }) => holder)
}

async function isKnown(db: Db, holder: string): Promise<boolean> {
  const known = db.selectFrom('gateway_process').select('holder').where('holder', '=', holder)
  return (await known.executeTakeFirst()) !== undefined
}
