import { sql, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { ExportDeliveryTable } from '../../schema/index.ts'
import type { ExportDestinationRow, ExportOwner } from './export-destinations.ts'

export type ExportDeliveryRow = Selectable<ExportDeliveryTable>
export type ExportState = ExportDeliveryRow['state']

/** How long a sender holds a delivery. If it dies, another sender takes over afterwards. */
const LEASE_SECONDS = 120
const OPEN = ['pending', 'sending'] as const
const now = sql<Date>`now()`
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

export interface NewExportDelivery {
  readonly destinationId: number
  readonly after: number
  readonly last: number
  readonly firstTime: Date
  readonly lastTime: Date
  readonly records: number
}

/**
 * Adds log rows to the delivery that waits for its first attempt, or queues a new one. A delivery that was attempted
 * never changes, so its IDs stay the same for the receiver.
 */
export async function enqueue(
  transaction: Db,
  { destinationId, after, last, firstTime, lastTime, records }: NewExportDelivery,
  { maxRecords, waitSeconds }: { maxRecords: number; waitSeconds: number },
): Promise<void> {
  const extended = await transaction
    .updateTable('export_delivery')
    .set((eb) => ({
      last_id: last,
      first_time: sql<Date>`least(first_time, ${firstTime}::timestamptz)`,
      last_time: sql<Date>`greatest(last_time, ${lastTime}::timestamptz)`,
      records: eb('records', '+', records),
    }))
    .where('destination_id', '=', destinationId)
    .where('state', '=', 'pending')
    .where('last_attempt_at', 'is', null)
    .where('records', '<=', maxRecords - records)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('export_delivery as newest')
        .select((newest) => newest.fn.max('newest.id').as('id'))
        .where('newest.destination_id', '=', destinationId),
    )
    .executeTakeFirst()
  if (extended.numUpdatedRows > 0n) return
  await transaction
    .insertInto('export_delivery')
    .values({
      destination_id: destinationId,
      after_id: after,
      last_id: last,
      first_time: firstTime,
      last_time: lastTime,
      records,
      next_attempt_at: inSeconds(waitSeconds),
    })
    .execute()
}

/** A delivery that this process sends. */
export interface ClaimedExport extends ExportDeliveryRow {
  readonly destination: ExportDestinationRow
}

/** Claims due deliveries of the site or of users, at most one per destination, each for one sender. */
export async function claimDue(
  db: Db,
  { ofUsers, limit }: { ofUsers: boolean; limit: number },
): Promise<ClaimedExport[]> {
  if (limit <= 0) return []
  const { rows } = await sql<ExportDeliveryRow & { destination: ExportDestinationRow }>`
    with due as (
      select distinct on (d.destination_id) d.id, d.next_attempt_at
      from export_delivery d join export_destination t on t.id = d.destination_id
      left join "user" u on u.id = t.user_id
      where d.state in ('pending', 'sending') and d.next_attempt_at <= now()
        and t.enabled and (t.retry_at is null or t.retry_at <= now())
        and case when ${ofUsers} then u.status = 1 and u.deleted_at is null else t.user_id is null end
        and not exists (select from export_delivery other
          where other.destination_id = t.id and other.state = 'sending' and other.next_attempt_at > now())
      order by d.destination_id, d.next_attempt_at, d.id
    ), claimed as (
      select d.id from export_delivery d join due on due.id = d.id
      where d.state in ('pending', 'sending') and d.next_attempt_at <= now()
      order by due.next_attempt_at limit ${limit} for update of d skip locked
    )
    update export_delivery d
    set state = 'sending', attempts = d.attempts + 1, last_attempt_at = now(), next_attempt_at = ${inSeconds(LEASE_SECONDS)}
    from claimed, export_destination t
    where d.id = claimed.id and t.id = d.destination_id
    returning d.*, row_to_json(t) as destination`.execute(db)
  return rows
}

/** Records that the receiver accepted one part of a delivery. */
export async function addPart(db: Db, id: number, part: string): Promise<void> {
  await db
    .updateTable('export_delivery')
    .set({ parts: sql<string[]>`array_append(parts, ${part})` })
    .where('id', '=', id)
    .execute()
}

export interface ExportResult {
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly retryInSeconds?: number | undefined
  readonly error: string
  readonly response_status: number | null
  readonly response_body: string
  readonly rejected: number
  readonly bytes: number
}

/** Stores the result of an attempt, unless a later attempt has started. */
export async function finish(
  db: Db,
  { id, attempts }: Pick<ExportDeliveryRow, 'id' | 'attempts'>,
  { state, retryInSeconds, ...result }: ExportResult,
): Promise<void> {
  await db
    .updateTable('export_delivery')
    .set({
      ...result,
      state,
      next_attempt_at: retryInSeconds === undefined ? null : inSeconds(retryInSeconds),
      finished_at: state === 'pending' ? null : now,
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'sending')
    .execute()
}

const ownDestinations = (owner: ExportOwner) =>
  sql<boolean>`export_delivery.destination_id in (
    select id from export_destination where user_id is not distinct from ${owner}::bigint)`

export interface ExportDeliveryFilters {
  destination?: number | undefined
  state?: ExportState | undefined
}

function filtered(db: Db, owner: ExportOwner, { destination, state }: ExportDeliveryFilters) {
  let query = db.selectFrom('export_delivery').where(ownDestinations(owner))
  if (destination !== undefined) query = query.where('destination_id', '=', destination)
  if (state === 'pending') query = query.where('state', 'in', OPEN)
  else if (state !== undefined) query = query.where('state', '=', state)
  return query
}

/** Deliveries of an owner, newest first. */
export function page(
  db: Db,
  owner: ExportOwner,
  filters: ExportDeliveryFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<ExportDeliveryRow[]> {
  return filtered(db, owner, filters).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

export async function count(db: Db, owner: ExportOwner, filters: ExportDeliveryFilters): Promise<number> {
  const { total } = await filtered(db, owner, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Queues failed deliveries again: one, or all of a destination. Returns their number. */
export async function requeueFailed(
  db: Db,
  owner: ExportOwner,
  which: { id: number } | { destination: number },
): Promise<number> {
  const requeued = await db
    .updateTable('export_delivery')
    .set({ state: 'pending', attempts: 0, error: '', next_attempt_at: now, finished_at: null })
    .where('state', '=', 'failed')
    .where(ownDestinations(owner))
    .where('id' in which ? 'id' : 'destination_id', '=', 'id' in which ? which.id : which.destination)
    .returning('destination_id')
    .execute()
  const ids = [...new Set(requeued.map(({ destination_id }) => destination_id))]
  if (ids.length > 0)
    await db.updateTable('export_destination').set({ retry_at: null }).where('id', 'in', ids).execute()
  return requeued.length
}

export async function isOf(db: Db, owner: ExportOwner, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('export_delivery')
    .select('id')
    .where('id', '=', id)
    .where(ownDestinations(owner))
    .executeTakeFirst()
  return row !== undefined
}

export async function removeFinished(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('export_delivery')
    .where('state', 'in', ['delivered', 'failed'])
    .where('created_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export const OWNERS = ['site', 'user'] as const

/** Deliveries of the site or of all users, for metrics. */
export interface ExportTotals {
  readonly owner: (typeof OWNERS)[number]
  readonly open: number
  readonly failed: number
  /** Age of the oldest row that waits for delivery to an enabled destination. */
  readonly lag_seconds: number
}

export async function totals(db: Db): Promise<ExportTotals[]> {
  const { rows } = await sql<ExportTotals>`
    select owner, coalesce(sum(open), 0)::bigint as open, coalesce(sum(failed), 0)::bigint as failed,
      coalesce(max(lag), 0)::double precision as lag_seconds
    from (values ('site'), ('user')) as owners(owner) left join lateral (
      select (select count(*) from export_delivery e where e.destination_id = t.id and e.state in ('pending', 'sending'))
          as open,
        (select count(*) from export_delivery e where e.destination_id = t.id and e.state = 'failed') as failed,
        (select extract(epoch from now() - min(e.first_time)) from export_delivery e
          where t.enabled and e.destination_id = t.id and e.state in ('pending', 'sending')) as lag
      from export_destination t where (t.user_id is null) = (owner = 'site')
    ) d on true
    group by owner order by owner`.execute(db)
  return rows
}
