import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface UsageLogPartition {
  name: string
  /** Midnight UTC of its day. */
  day: Date
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * Creates missing partitions for `days` UTC days from `from` on and returns their names. Several processes may call it
 * at once.
 */
export async function ensureUsageLogPartitions(db: Db, span: { from: Date; days: number }): Promise<string[]> {
  const expected = daysFrom(span.from, span.days)
  const missing = notPresent(expected, await listUsageLogPartitions(db))
  if (missing.length === 0) return []
  return withLock(db, async (trx) => {
    const created = notPresent(expected, await listUsageLogPartitions(trx))
    for (const partition of created) await createPartition(trx, partition)
    return created.map(({ name }) => name)
  })
}

/** Drops partitions whose whole day is before `before`, with their rows. */
export async function dropUsageLogPartitions(db: Db, { before }: { before: Date }): Promise<string[]> {
  return withLock(db, async (trx) => {
    const old = (await listUsageLogPartitions(trx)).filter(({ day }) => day.getTime() + DAY_MS <= before.getTime())
    const newest = old.at(-1)
    if (newest) await raiseUsageLogFloor(trx, new Date(newest.day.getTime() + DAY_MS))
    for (const { name } of old) await sql`drop table ${sql.table(name)}`.execute(trx)
    return old.map(({ name }) => name)
  })
}

/**
 * Records that log rows before a time may be missing. Call it before removing rows: `tidegate verify` compares only
 * later hours with the roll-ups.
 */
export async function raiseUsageLogFloor(db: Db, before: Date): Promise<void> {
  const hour = new Date(Math.ceil(before.getTime() / HOUR_MS) * HOUR_MS)
  await sql`update usage_log_floor set complete_from = greatest(complete_from, ${hour}::timestamptz)`.execute(db)
}

/** Drops the oldest days until the log is at most this large. Today's partition is always kept. */
export async function shrinkUsageLog(db: Db, { bytes, now }: { bytes: number; now: Date }): Promise<string[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select child.relname as name, pg_total_relation_size(child.oid) as bytes
    from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'usage_log'::regclass
    order by child.relname desc`.execute(db)
  let total = 0
  // The first day, going back from the newest, at which the total exceeds the limit.
  const overflow = rows.find((row) => (total += row.bytes) > bytes)
  const day = overflow && dayOf(overflow.name)
  if (!day) return []
  const before = Math.min(day.getTime() + DAY_MS, Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  return dropUsageLogPartitions(db, { before: new Date(before) })
}

/** Oldest first. */
export async function listUsageLogPartitions(db: Db): Promise<UsageLogPartition[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name
    from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'usage_log'::regclass
    order by child.relname`.execute(db)
  return rows.flatMap(({ name }) => {
    const day = dayOf(name)
    return day ? [{ name, day }] : []
  })
}

/** `create … partition of` would lock the whole log against writes; attaching a finished table does not. */
async function createPartition(db: Db, { name, day }: UsageLogPartition): Promise<void> {
  const from = sql.lit(day.toISOString())
  const to = sql.lit(new Date(day.getTime() + DAY_MS).toISOString())
  const table = sql.table(name)
  await sql`create table ${table} (like usage_log including defaults including constraints)`.execute(db)
  await sql`alter table usage_log attach partition ${table} for values from (${from}) to (${to})`.execute(db)
}

/**
 * Runs `work` in one process at a time. Fails on a busy log after five seconds, so that writers do not queue behind it.
 */
function withLock<Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', '5s', true)`.execute(trx)
    await sql`select pg_advisory_xact_lock(hashtext('usage_log partitions'))`.execute(trx)
    return work(trx)
  })
}

function daysFrom(from: Date, days: number): UsageLogPartition[] {
  const first = Math.floor(from.getTime() / DAY_MS)
  return Array.from({ length: days }, (_, index) => partitionOf(new Date((first + index) * DAY_MS)))
}

function notPresent(expected: UsageLogPartition[], present: UsageLogPartition[]): UsageLogPartition[] {
  const names = new Set(present.map(({ name }) => name))
  return expected.filter(({ name }) => !names.has(name))
}

function partitionOf(day: Date): UsageLogPartition {
  const [year, month, date] = day.toISOString().slice(0, 10).split('-')
  return { name: `usage_log_y${year}m${month}d${date}`, day }
}

function dayOf(name: string): Date | undefined {
  const [, year, month, date] = /^usage_log_y(\d{4})m(\d{2})d(\d{2})$/.exec(name) ?? []
  return year ? new Date(`${year}-${month}-${date}T00:00:00Z`) : undefined
}
