import { sql } from 'kysely'
import type { Db } from './connection/connect.ts'

/**
 * Returns true when `holder` has the job for the next `seconds`: it was free, had expired, or was already the holder's.
 */
export async function takeJobLease(db: Db, name: string, holder: string, seconds: number): Promise<boolean> {
  // Uses the database's clock, so that nodes with wrong clocks cannot hold one job at the same time.
  const claimed = await sql`
    insert into job_lease as held (name, holder, expires_at)
    values (${name}, ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where held.expires_at <= now() or held.holder = excluded.holder`.execute(db)
  return claimed.numAffectedRows === 1n
}

/** Releases the job early. The lease of another holder is not touched. */
export async function releaseJobLease(db: Db, name: string, holder: string): Promise<void> {
  await sql`delete from job_lease where name = ${name} and holder = ${holder}`.execute(db)
}
