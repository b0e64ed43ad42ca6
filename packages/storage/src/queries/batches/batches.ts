import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { BatchError, BatchState, BatchTable } from '../../schema/index.ts'
import { storableId } from '../responses/stored-responses.ts'
import type { ListOptions } from './files.ts'

export type BatchRow = Selectable<BatchTable>
export type NewBatch = Insertable<BatchTable>

const UNFINISHED_LINE = ['pending', 'running'] as const

export async function insert(db: Db, batch: NewBatch): Promise<void> {
  await db.insertInto('batch').values(batch).execute()
}

/** How many batches of a user have not ended. */
export async function countOpen(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('batch')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export interface BatchOwner {
  readonly userId: number
  readonly protocol: BatchRow['protocol']
}

export function find(db: Db, { userId, protocol }: BatchOwner, id: string): Promise<BatchRow | undefined> {
  return db
    .selectFrom('batch')
    .selectAll()
    .where('user_id', '=', userId)
    .where('protocol', '=', protocol)
    .where('id', '=', storableId(id))
    .executeTakeFirst()
}

/** One page of a user's batches of one protocol, by their creation. */
export function list(
  db: Db,
  { userId, protocol, limit, order, after }: ListOptions & Pick<BatchOwner, 'protocol'>,
): Promise<BatchRow[]> {
  const compare = order === 'asc' ? '>' : '<'
  return db
    .selectFrom('batch')
    .selectAll()
    .where('user_id', '=', userId)
    .where('protocol', '=', protocol)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) ${sql.raw(compare)} (select created_at, id from batch
          where user_id = ${userId} and id = ${storableId(after!)})`,
      ),
    )
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

/** Asks for a batch to be cancelled. Requests that run are finished. Nothing if it has ended, or is being finished. */
export async function cancel(db: Db, userId: number, id: string): Promise<void> {
  await db
    .updateTable('batch')
    .set((eb) => ({
      // The lines of a batch that is being read are cancelled once all are there.
      state: eb
        .case()
        .when('state', '=', 'in_progress')
        .then('cancelling' as const)
        .else(eb.ref('state'))
        .end(),
      state_times: reached('cancelling'),
      next_poll_at: eb
        .case()
        .when('channel_id', 'is not', null)
        .then(sql<Date>`now()`)
        .end(),
    }))
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .where('state', 'in', ['validating', 'in_progress'])
    .where(sql<boolean>`not state_times ? 'cancelling'`)
    .execute()
}

/** Whether there was one that has ended. Its results are removed with it. */
export async function remove(db: Db, owner: BatchOwner, id: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const removed = await transaction
      .deleteFrom('batch')
      .where('user_id', '=', owner.userId)
      .where('protocol', '=', owner.protocol)
      .where('id', '=', storableId(id))
      .where('ended_at', 'is not', null)
      .returning(['input_file_id', 'output_file_id', 'error_file_id'])
      .executeTakeFirst()
    if (!removed) return false
    const files = [removed.input_file_id, removed.output_file_id, removed.error_file_id].filter((file) => file !== null)
    if (files.length > 0) await transaction.deleteFrom('file').where('id', 'in', files).execute()
    return true
  })
}

/** Sets the time at which a state was reached, in Unix seconds. */
export function reached(state: BatchState) {
  return sql<string>`state_times || jsonb_build_object(${state}::text, extract(epoch from now())::bigint)`
}

export interface Lease {
  readonly holder: string
  readonly seconds: number
}

const leaseEnd = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/**
 * Takes the oldest batch whose requests must be read or whose results must be written, unless another process has it.
 */
export async function claim(db: Db, { holder, seconds }: Lease): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    update batch set holder = ${holder}, lease_until = ${leaseEnd(seconds)}
    where id = (
      select id from batch where ended_at is null and state in ('validating', 'finalizing')
        and (lease_until is null or lease_until < now())
      order by created_at, id limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

/** False if another process has the batch now, or it was deleted. */
export async function renew(db: Db, id: string, { holder, seconds }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch')
    .set({ lease_until: leaseEnd(seconds) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Lets another process continue at once. */
export async function release(db: Db, id: string, holder: string): Promise<void> {
  await db
    .updateTable('batch')
    .set({ holder: null, lease_until: null })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

/** Who pays for a batch. */
export function ownerOf(db: Db, id: string): Promise<Pick<BatchRow, 'user_id' | 'token_id'>> {
  return db.selectFrom('batch').select(['user_id', 'token_id']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** The account of a provider that runs a batch. */
export interface UpstreamStart {
  readonly channelId: number
  readonly keyId: string
  readonly terms: Readonly<Record<string, unknown>>
}

/** Starts a batch whose lines are all stored. False if another process has it now. */
export async function start(
  db: Db,
  id: string,
  { holder, total, model, upstream }: { holder: string; total: number; model: string; upstream?: UpstreamStart },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch')
    .set({
      state: sql<BatchState>`case when state_times ? 'cancelling' then 'cancelling' else 'in_progress' end`,
      state_times: reached('in_progress'),
      total,
      model,
      holder: null,
      lease_until: null,
      ...(upstream && {
        channel_id: upstream.channelId,
        key_id: upstream.keyId,
        terms: jsonText(upstream.terms),
        next_poll_at: sql<Date>`now()`,
      }),
    })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', 'validating')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends a batch that cannot run. Its lines are removed. False if another process has it now. */
export async function fail(
  db: Db,
  id: string,
  { holder, errors }: { holder: string; errors: readonly BatchError[] },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('batch')
      .set({
        state: 'failed',
        state_times: reached('failed'),
        errors: jsonText(errors),
        ended_at: sql<Date>`now()`,
        holder: null,
        lease_until: null,
      })
      .where('id', '=', id)
      .where('holder', '=', holder)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    await transaction.deleteFrom('batch_line').where('batch_id', '=', id).execute()
    await removeOwnInput(transaction, id)
  })
}

/**
 * Moves batches forward that nothing runs for: lines of dead processes can be claimed again, lines past the deadline
 * expire, lines of cancelled batches are cancelled, and batches without unfinished lines get their results written.
 */
export async function advance(db: Db, now: Date): Promise<void> {
  await sql`
    update batch_line l set state = 'pending', holder = null, lease_until = null
    from batch b where b.id = l.batch_id and b.ended_at is null and l.state = 'running' and l.lease_until < now()
  `.execute(db)
  await sql`
    with ended as (
      select id, case when state = 'cancelling' then 'canceled' else 'expired' end as outcome from batch
      where channel_id is null and ((state = 'in_progress' and deadline <= ${now}) or state = 'cancelling')
      order by id for update
    ), lines as (
      update batch_line l set state = outcome, sealed = null from ended
      where l.batch_id = ended.id and l.state = 'pending' returning l.batch_id, l.state
    ), counted as (
      select batch_id, count(*) filter (where state = 'canceled') as canceled,
        count(*) filter (where state = 'expired') as expired from lines group by 1
    )
    update batch b set canceled = b.canceled + c.canceled, expired = b.expired + c.expired
    from counted c where b.id = c.batch_id`.execute(db)
  await sql`
    update batch b set state = 'finalizing', state_times = ${reached('finalizing')}
    where state in ('in_progress', 'cancelling') and channel_id is null and (lease_until is null or lease_until < now())
      and not exists (
      select from batch_line l where l.batch_id = b.id and l.state = any(${[...UNFINISHED_LINE]}))`.execute(db)
}

/** Ends a batch whose results are written. Its lines are removed. */
export async function complete(
  db: Db,
  id: string,
  { holder, files }: { holder: string; files: Pick<BatchRow, 'output_file_id' | 'error_file_id'> },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      update batch set state = outcome, ended_at = now(), holder = null, lease_until = null,
        output_file_id = ${files.output_file_id}, error_file_id = ${files.error_file_id},
        state_times = state_times || jsonb_build_object(outcome, extract(epoch from now())::bigint)
      from (select id as of, case when state_times ? 'cancelling' then 'cancelled'
        when expired > 0 then 'expired' else 'completed' end as outcome from batch where id = ${id}) o
      where id = o.of and holder = ${holder} and state = 'finalizing' returning id`.execute(transaction)
    if (rows.length === 0) return false
    await transaction.deleteFrom('batch_line').where('batch_id', '=', id).execute()
    await removeOwnInput(transaction, id)
    await sql`
      update file f set is_listed = true from batch b
      where b.id = ${id} and b.protocol = 'openai' and f.id in (b.output_file_id, b.error_file_id)
    `.execute(transaction)
    return true
  })
}

/** Requests that were not uploaded as a file are of no use after the end of their batch. */
async function removeOwnInput(db: Db, id: string): Promise<void> {
  await sql`
    delete from file f using batch b where b.id = ${id} and f.id = b.input_file_id and not f.is_listed`.execute(db)
}

/** Whether there is a batch that has not ended. */
export async function hasOpen(db: Db): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from batch where ended_at is null) as open`.execute(db)
  return rows[0]?.open === true
}

/** Removes at most `limit` batches that ended before. Returns their number. */
export async function removeEnded(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from batch where id in (select id from batch where ended_at < ${before} limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
