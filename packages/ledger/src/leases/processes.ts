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

/** Gives back what processes hold that have not been heard of. Answers how many leases that were. */
export async function reclaimLapsed(db: Db): Promise<number> {
  const lapsed = await db
    .selectFrom('gateway_process')
    .select('holder')
    .where('heartbeat_at', '<', sql<Date>`now() - make_interval(secs => ${LEASE_SECONDS})`)
    .execute()
  let reclaimed = 0
  for (const { holder } of lapsed) reclaimed += await releaseHolder(db, holder)
  return reclaimed
}

export async function isLapsed(db: Db, holder: string): Promise<boolean> {
  const { rows } = await sql<{ lapsed: boolean }>`
    select not exists (
      select from gateway_process where holder = ${holder}
      and heartbeat_at >= now() - make_interval(secs => ${LEASE_SECONDS})
    ) as lapsed`.execute(db)
  return rows[0]!.lapsed
}
