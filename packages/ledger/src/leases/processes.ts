import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { releaseHolder } from './lease-rows.ts'

/** How long a gateway serves from its leases without a heartbeat. */
export const OUTAGE_SECONDS = 600

/**
 * How long leases outlive the last heartbeat of their process. Longer than the process uses them, so that a slightly
 * slow clock does not matter.
 */
export function leaseSecondsOf(outageSeconds: number): number {
  return Math.ceil(outageSeconds * 1.25)
}

export async function registerProcess(
  db: Db,
  holder: string,
  leaseSeconds = leaseSecondsOf(OUTAGE_SECONDS),
): Promise<void> {
  await db
    .insertInto('gateway_process')
    .values({ holder, lease_seconds: leaseSeconds })
    .onConflict((conflict) =>
      conflict.column('holder').doUpdateSet({ heartbeat_at: sql`now()`, lease_seconds: leaseSeconds }),
    )
    .execute()
}

/** False if it is too late: the leases of the process were returned. */
export async function sendHeartbeat(db: Db, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('gateway_process')
    .set({ heartbeat_at: sql`now()` })
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Longer than the heartbeat interval. */
const NEXT_HEARTBEAT_MS = 12_000

interface WaitOptions {
  /** Waits until every live process has sent a heartbeat. */
  wait?(): Promise<void>
}

const waitForHeartbeat = () => delay(NEXT_HEARTBEAT_MS)

/**
 * Returns the leases of processes without a heartbeat, and the number of leases. A clock that jumps forward makes every
 * process look expired, so each gets the time for one more heartbeat.
 */
export async function reclaimExpiredLeases(db: Db, { wait = waitForHeartbeat }: WaitOptions = {}): Promise<number> {
  const expired = await findExpired(db)
  if (expired.length === 0) return 0
  await wait()
  const stillExpired = new Set(await findExpired(db))
  let reclaimed = 0
  for (const holder of expired) if (stillExpired.has(holder)) reclaimed += await releaseHolder(db, holder)
  return reclaimed
}

/** The process is not registered, or its heartbeat expired and it sends none now. */
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

/** Processes with an expired heartbeat, and unregistered ones that hold leases. */
async function findExpired(db: Db): Promise<string[]> {
  const { rows } = await sql<{ holder: string }>`
    select holder from gateway_process where heartbeat_at < now() - make_interval(secs => lease_seconds)
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
