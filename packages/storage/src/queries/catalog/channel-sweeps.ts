import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** A test or balance query over all channels, visible to every node. */
export interface Sweep {
  running: boolean
  done: number
  total: number
  failed: number
  current: string
  cancelled: boolean
  started_at: Date
  finished_at: Date | null
}

/** How long a sweep stays claimed without a renewal. After that another process may start one. */
const LEASE_SECONDS = 30

/** Claims the sweep for a holder. False while another one runs. */
export async function start(db: Db, kind: string, holder: string): Promise<boolean> {
  // Uses the database's clock, so that nodes with wrong clocks cannot run one sweep at the same time.
  const claimed = await sql`
    insert into channel_sweep as held (kind, holder, expires_at) values (${kind}, ${holder}, ${leaseEnd})
    on conflict (kind) do update set holder = excluded.holder, expires_at = excluded.expires_at, started_at = now(),
      finished_at = null, total = 0, done = 0, failed = 0, current = '', cancelled = false
    where held.finished_at is not null or held.expires_at <= now()`.execute(db)
  return claimed.numAffectedRows === 1n
}

export interface SweepProgress {
  total: number
  done: number
  failed: number
  current: string
}

/** Stores the progress and renews the claim. `go` is false when the sweep was cancelled or has another holder. */
export async function renew(db: Db, kind: string, holder: string, progress: SweepProgress): Promise<{ go: boolean }> {
  const { total, done, failed, current } = progress
  const { rows } = await sql<{ cancelled: boolean }>`
    update channel_sweep set expires_at = ${leaseEnd}, total = ${total}, done = ${done}, failed = ${failed},
      current = ${current}
    where kind = ${kind} and holder = ${holder} and finished_at is null returning cancelled`.execute(db)
  return { go: rows[0]?.cancelled === false }
}

export async function finish(db: Db, kind: string, holder: string, { done, failed }: SweepProgress): Promise<void> {
  await sql`
    update channel_sweep set finished_at = now(), done = ${done}, failed = ${failed}, current = ''
    where kind = ${kind} and holder = ${holder} and finished_at is null`.execute(db)
}

/** True when a running sweep was cancelled. */
export async function cancel(db: Db, kind: string): Promise<boolean> {
  const cancelled = await sql`
    update channel_sweep set cancelled = true
    where kind = ${kind} and finished_at is null and expires_at > now()`.execute(db)
  return cancelled.numAffectedRows === 1n
}

export async function find(db: Db, kind: string): Promise<Sweep | undefined> {
  const { rows } = await sql<Sweep>`
    select finished_at is null and expires_at > now() as running, done, total, failed, current, cancelled, started_at,
      finished_at
    from channel_sweep where kind = ${kind}`.execute(db)
  return rows[0]
}

const leaseEnd = sql`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`
