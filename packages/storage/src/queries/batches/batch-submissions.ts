import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { BatchTable } from '../../schema/index.ts'
import { type BatchRow, type Lease, reached } from './batches.ts'
import type { BatchLineRow, FinishedLine } from './batch-lines.ts'

/** Takes the batch of a provider that has waited longest for its next poll, unless another process has it. */
export async function claimDue(db: Db, { holder, seconds }: Lease): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    update batch set holder = ${holder}, lease_until = now() + make_interval(secs => ${seconds})
    where id = (
      select id from batch where ended_at is null and channel_id is not null and state in ('in_progress', 'cancelling')
        and next_poll_at <= now() and (lease_until is null or lease_until < now())
      order by next_poll_at limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

type Submission = Pick<BatchTable, 'upstream_id' | 'upstream_file_id'>

/** Records what the provider has of a batch. False if another process has the batch now. */
export async function record(
  db: Db,
  { id, holder }: Held,
  { isSubmitted, ...values }: Partial<Submission> & { readonly isSubmitted?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch')
    .set({
      ...values,
      ...(isSubmitted !== undefined && { submitted_at: isSubmitted ? sql<Date>`now()` : null }),
    })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

interface Held {
  readonly id: string
  readonly holder: string
}

interface PollSchedule {
  readonly seconds: number
  readonly isFailed: boolean
  /** The batch was being cancelled when this process took it. */
  readonly isCancelling: boolean
}

/** Lets any process poll the batch after some time, or at once if it was cancelled meanwhile. */
export async function schedule(
  db: Db,
  { id, holder }: Held,
  { seconds, isFailed, isCancelling }: PollSchedule,
): Promise<void> {
  await sql`
    update batch set holder = null, lease_until = null,
      next_poll_at = case when state = 'cancelling' and not ${isCancelling} then now()
        else now() + make_interval(secs => ${seconds}) end,
      failed_polls = case when ${isFailed} then failed_polls + 1 else 0 end
    where id = ${id} and holder = ${holder}`.execute(db)
}

/** Lets workers run the lines of a batch that no provider has accepted. */
export async function runHere(db: Db, { id, holder }: Held): Promise<void> {
  await db
    .updateTable('batch')
    .set({
      channel_id: null,
      key_id: null,
      terms: null,
      upstream_file_id: null,
      submitted_at: null,
      next_poll_at: null,
      holder: null,
      lease_until: null,
    })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

/** Lines without a result, in their order: those after a number, or those with certain numbers. */
export function listPending(
  db: Db,
  batchId: string,
  { after, limit, numbers }: { after?: number; limit?: number; numbers?: readonly number[] },
): Promise<Pick<BatchLineRow, 'number' | 'sealed'>[]> {
  return db
    .selectFrom('batch_line')
    .select(['number', 'sealed'])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'pending')
    .$if(after !== undefined, (query) => query.where('number', '>', after!))
    .$if(numbers !== undefined, (query) => query.where(sql<boolean>`number = any(${[...numbers!]})`))
    .orderBy('number')
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}

/** Stores results of a provider. Lines that have one already keep it. */
export async function finishLines(
  db: Db,
  { id, holder }: Held,
  lines: readonly Omit<FinishedLine, 'batchId'>[],
): Promise<void> {
  await sql`
    with held as (select id from batch where id = ${id} and holder = ${holder} for no key update), done as (
      update batch_line l set state = r.state, sealed = r.sealed
      from held, json_to_recordset(${jsonText(lines)}::json)
        as r(number integer, state text, sealed text, "inputTokens" bigint, "outputTokens" bigint)
      where l.batch_id = held.id and l.number = r.number and l.state = 'pending'
      returning r.state, r."inputTokens", r."outputTokens"
    ), sums as (
      select count(*) filter (where state = 'succeeded') as succeeded, count(*) filter (where state = 'errored') as errored,
        coalesce(sum("inputTokens"), 0) as input, coalesce(sum("outputTokens"), 0) as output from done
    )
    update batch b set succeeded = b.succeeded + s.succeeded, errored = b.errored + s.errored,
      input_tokens = b.input_tokens + s.input, output_tokens = b.output_tokens + s.output
    from sums s, held where b.id = held.id`.execute(db)
}

/** Ends the lines of a batch that have no result. Then a worker writes the results. */
export async function end(db: Db, { id, holder }: Held, outcome: 'canceled' | 'expired'): Promise<void> {
  await sql`
    with held as (select id from batch where id = ${id} and holder = ${holder} for no key update), lines as (
      update batch_line l set state = ${outcome}, sealed = null from held
      where l.batch_id = held.id and l.state = 'pending' returning l.number
    )
    update batch b set state = 'finalizing', state_times = ${reached('finalizing')}, holder = null, lease_until = null,
      canceled = canceled + case when ${outcome} = 'canceled' then (select count(*) from lines) else 0 end,
      expired = expired + case when ${outcome} = 'expired' then (select count(*) from lines) else 0 end
    from held where b.id = held.id`.execute(db)
}

/** Those of some ids of a provider that belong to batches of ours. */
export async function findKnown(db: Db, upstreamIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('batch')
    .select('upstream_id')
    .where(sql<boolean>`upstream_id = any(${[...upstreamIds]})`)
    .execute()
  return rows.map(({ upstream_id: id }) => id!)
}
