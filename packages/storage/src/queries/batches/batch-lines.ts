import { sql, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { BatchLineState, BatchLineTable } from '../../schema/index.ts'
import type { BatchRow, Lease } from './batches.ts'

export type BatchLineRow = Selectable<BatchLineTable>

export interface NewBatchLine {
  readonly number: number
  readonly customId: string
  readonly sealed: string
}

/** Adds lines. Lines that an interrupted process added before are kept. */
export async function insert(db: Db, batchId: string, lines: readonly NewBatchLine[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    insert into batch_line (batch_id, number, custom_id, sealed)
    select ${batchId}, number, "customId", sealed
    from json_to_recordset(${jsonText(lines)}::json) as l(number integer, "customId" text, sealed text)
    on conflict do nothing`.execute(db)
}

/** Where lines wait, and how many of each batch and user run. */
export interface OpenBatch {
  readonly id: string
  readonly userId: number
  readonly running: number
  /** Lines that can run now, counted up to a number. */
  readonly waiting: number
}

export interface ClaimedLine extends Pick<BatchRow, 'endpoint' | 'protocol' | 'user_id' | 'token_id' | 'client_ip'> {
  readonly batch_id: string
  readonly number: number
  readonly sealed: string
  readonly attempts: number
}

/** More lines of a batch are not claimed at once. */
const MAX_COUNTED = 200
/** Any number that no other lock of the application has. */
const CLAIM_LOCK = 7_203_271

/**
 * Claims lines for a process. `share` divides the free places among the open batches; it sees what runs at the whole
 * site, because processes claim one after the other.
 */
export async function claim(
  db: Db,
  { holder, seconds }: Lease,
  share: (open: readonly OpenBatch[]) => ReadonlyMap<string, number>,
): Promise<ClaimedLine[]> {
  return db.transaction().execute(async (transaction) => {
    const { rows: locked } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${CLAIM_LOCK}) as free`.execute(transaction)
    if (locked[0]?.free !== true) return []
    const { rows: open } = await sql<OpenBatch>`
      select b.id, b.user_id as "userId",
        (select count(*)::integer from batch_line l where l.batch_id = b.id and l.state = 'running'
          and l.lease_until >= now()) as running,
        (select count(*)::integer from (select from batch_line l where l.batch_id = b.id and l.state = 'pending'
          and (l.retry_at is null or l.retry_at <= now()) limit ${MAX_COUNTED}) as counted) as waiting
      from batch b where b.ended_at is null and b.state in ('in_progress', 'cancelling') and b.channel_id is null
      order by b.created_at, b.id`.execute(transaction)
    if (open.length === 0) return []
    const shares = [...share(open)].filter(([, places]) => places > 0)
    const claimed: ClaimedLine[] = []
    for (const [batchId, places] of shares) {
      const { rows } = await sql<ClaimedLine>`
        update batch_line l set state = 'running', holder = ${holder}, attempts = attempts + 1, retry_at = null,
          lease_until = now() + make_interval(secs => ${seconds})
        from batch b
        where b.id = ${batchId} and b.state = 'in_progress' and l.batch_id = b.id and l.number in (
          select number from batch_line where batch_id = ${batchId} and state = 'pending'
            and (retry_at is null or retry_at <= now())
          order by number limit ${places} for update skip locked)
        returning l.batch_id, l.number, l.sealed, l.attempts, b.endpoint, b.protocol, b.user_id, b.token_id, b.client_ip
      `.execute(transaction)
      claimed.push(...rows)
    }
    return claimed
  })
}

/** Extends the leases of all lines of a process. */
export async function renew(db: Db, { holder, seconds }: Lease): Promise<void> {
  await sql`
    update batch_line set lease_until = now() + make_interval(secs => ${seconds})
    where holder = ${holder} and state = 'running'`.execute(db)
}

export interface FinishedLine {
  readonly batchId: string
  readonly number: number
  readonly state: Extract<BatchLineState, 'succeeded' | 'errored'>
  readonly sealed: string
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Stores the result of a line that this process runs. False if another process runs it by now. */
export async function finish(db: Db, holder: string, line: FinishedLine): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    with done as (
      update batch_line set state = ${line.state}, sealed = ${line.sealed}, holder = null, lease_until = null
      where batch_id = ${line.batchId} and number = ${line.number} and state = 'running' and holder = ${holder}
      returning batch_id
    )
    update batch b set
      succeeded = succeeded + case when ${line.state} = 'succeeded' then 1 else 0 end,
      errored = errored + case when ${line.state} = 'errored' then 1 else 0 end,
      input_tokens = input_tokens + ${line.inputTokens}::bigint,
      output_tokens = output_tokens + ${line.outputTokens}::bigint
    from done where b.id = done.batch_id returning true as done`.execute(db)
  return rows.length > 0
}

/** Puts a line of this process back, to be run again after `seconds`. */
export async function retry(
  db: Db,
  holder: string,
  { batchId, number, seconds, counts }: { batchId: string; number: number; seconds: number; counts: boolean },
): Promise<void> {
  await sql`
    update batch_line set state = 'pending', holder = null, lease_until = null,
      retry_at = now() + make_interval(secs => ${seconds}),
      attempts = attempts - case when ${counts} then 0 else 1 end
    where batch_id = ${batchId} and number = ${number} and state = 'running' and holder = ${holder}`.execute(db)
}

/** How many lines of a user's open batches run now, and how many have finished. */
export async function readActivity(db: Db, userId: number): Promise<{ running: number; finished: number }> {
  const { rows } = await sql<{ running: number; finished: number }>`
    select (select count(*)::integer from batch_line l join batch b on b.id = l.batch_id
      where b.user_id = ${userId} and b.ended_at is null and l.state = 'running' and l.lease_until >= now()) as running,
      (select coalesce(sum(succeeded + errored), 0)::integer from batch
        where user_id = ${userId} and ended_at is null) as finished`.execute(db)
  return rows[0]!
}

/** Ends the lines of a batch that wait, with the same result; it is not stored per line. */
export async function failPending(db: Db, batchId: string): Promise<void> {
  await sql`
    with failed as (
      update batch_line set state = 'errored', sealed = null where batch_id = ${batchId} and state = 'pending'
      returning batch_id
    )
    update batch b set errored = errored + (select count(*) from failed) where b.id = ${batchId}`.execute(db)
}

/** Finished lines in their order, after a number. */
export function listFinished(
  db: Db,
  batchId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Pick<BatchLineRow, 'number' | 'custom_id' | 'state' | 'sealed'>[]> {
  return db
    .selectFrom('batch_line')
    .select(['number', 'custom_id', 'state', 'sealed'])
    .where('batch_id', '=', batchId)
    .where('number', '>', after)
    .where('state', 'not in', ['pending', 'running'])
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Removes at most `limit` records of charged lines. Returns their number. */
export async function removeCharges(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from batch_charge where (batch_id, number) in (
      select batch_id, number from batch_charge where charged_at < ${before} limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
