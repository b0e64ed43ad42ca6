import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { DeliveryTable } from '../../schema/index.ts'

export type DeliveryRow = Selectable<DeliveryTable>

const columns = [
  'id',
  'user_id',
  'kind',
  'type',
  'title',
  'target',
  'payload',
  'status',
  'attempts',
  'response_status',
  'response_body',
  'error',
  'created_at',
  'last_attempt_at',
  'next_attempt_at',
] as const satisfies readonly (keyof DeliveryTable)[]

export type NewDelivery = Pick<Insertable<DeliveryTable>, 'user_id' | 'kind' | 'type' | 'title' | 'target'> & {
  payload: object
}

/** How long a sender holds a delivery. If it dies, another sender takes over afterwards. */
const LEASE_SECONDS = 60
// Uses the database's clock, so that nodes with wrong clocks agree.
const now = sql<Date>`now()`
const endOfLease = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`

/** Queues a delivery for the worker. */
export async function enqueue(db: Db, delivery: NewDelivery): Promise<void> {
  await db
    .insertInto('delivery')
    .values({ ...delivery, payload: jsonText(delivery.payload), next_attempt_at: now })
    .execute()
}

/**
 * Stores a delivery that the caller sends immediately. It counts as failed until the result is known, so that no worker
 * sends it again when the process dies.
 */
export function insertAttempted(db: Db, delivery: NewDelivery & { error: string }): Promise<DeliveryRow> {
  return db
    .insertInto('delivery')
    .values({
      ...delivery,
      payload: jsonText(delivery.payload),
      status: 'failed',
      attempts: 1,
      last_attempt_at: now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Claims due deliveries, each for one sender. */
export function claimDue(db: Db, limit: number): Promise<DeliveryRow[]> {
  return db
    .updateTable('delivery')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), last_attempt_at: now, next_attempt_at: endOfLease }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('id')
        .where('status', '=', 'waiting')
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns)
    .execute()
}

/** Claims a failed delivery of a user for one more attempt; undefined when it has not failed or was claimed before. */
export function claimFailed(db: Db, userId: number, id: number): Promise<DeliveryRow | undefined> {
  return db
    .updateTable('delivery')
    .set((eb) => ({
      status: 'waiting',
      attempts: eb('attempts', '+', 1),
      last_attempt_at: now,
      next_attempt_at: endOfLease,
    }))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', '=', 'failed')
    .returning(columns)
    .executeTakeFirst()
}

export interface DeliveryResult {
  status: DeliveryRow['status']
  target: string
  response_status: number | null
  response_body: string
  error: string
  /** Set when the delivery is retried. */
  retryInSeconds?: number
}

/**
 * Stores the result of an attempt. Undefined when a later attempt has started: its result counts, unless this one was
 * delivered.
 */
export function finish(
  db: Db,
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  { retryInSeconds, ...result }: DeliveryResult,
): Promise<DeliveryRow | undefined> {
  const next_attempt_at =
    retryInSeconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${retryInSeconds})`
  let change = db
    .updateTable('delivery')
    .set({ ...result, next_attempt_at })
    .where('id', '=', id)
  if (result.status !== 'delivered') change = change.where('attempts', '=', attempts).where('status', '<>', 'delivered')
  return change.returning(columns).executeTakeFirst()
}

export function listOf(
  db: Db,
  userId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('delivery')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countOf(db: Db, userId: number): Promise<number> {
  const { total } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return total
}

export async function isOf(db: Db, userId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('delivery')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The number of failed deliveries to a webhook since the last success, counted up to `max`. Failed tests do not count;
 * a successful test does.
 */
export async function countFailuresSinceSuccess(
  db: Db,
  { userId, target, max }: { userId: number; target: string; max: number },
): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    with latest as (
      select status, row_number() over (order by last_attempt_at desc, id desc) as recency from delivery
      where user_id = ${userId} and kind = 'webhook' and target = ${target}
        and (status = 'delivered' or (status = 'failed' and type <> 'test'))
      order by last_attempt_at desc, id desc limit ${max}
    )
    select count(*) as failures from latest
    where recency < coalesce((select min(recency) from latest where status = 'delivered'), ${max + 1})`.execute(db)
  return rows[0]?.failures ?? 0
}

export async function removeBefore(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('delivery').where('created_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
