import { sql, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { ExportDestinationTable } from '../../schema/index.ts'

export type ExportDestinationRow = Selectable<ExportDestinationTable>

/** A user, or null for the site. */
export type ExportOwner = number | null

const columns = [
  'id',
  'user_id',
  'kind',
  'name',
  'enabled',
  'url',
  'options',
  'sealed',
  'cursor_id',
  'failures',
  'retry_at',
  'last_success_at',
  'created_at',
] as const satisfies readonly (keyof ExportDestinationTable)[]

/** A destination and the state of its deliveries. */
export interface ExportDestinationState extends ExportDestinationRow {
  readonly open: number
  readonly failed: number
  /** The time of the oldest row that waits for delivery. */
  readonly waiting_since: Date | null
  /** The error of the last attempt, and the status of its response. */
  readonly last_error: string | null
  readonly last_status: number | null
}

const ownedBy = (owner: ExportOwner) => sql<boolean>`user_id is not distinct from ${owner}::bigint`

export function listWithState(db: Db, owner: ExportOwner): Promise<ExportDestinationState[]> {
  return db
    .selectFrom('export_destination as t')
    .select(columns.map((name) => `t.${name}` as const))
    .select([
      countIn(sql`e.state in ('pending', 'sending')`).as('open'),
      countIn(sql`e.state = 'failed'`).as('failed'),
      sql<Date | null>`(select min(e.first_time) from export_delivery e
        where e.destination_id = t.id and e.state in ('pending', 'sending'))`.as('waiting_since'),
      lastAttempt('error').as('last_error'),
      lastAttempt('response_status').as('last_status'),
    ])
    .where(ownedBy(owner))
    .orderBy('t.id')
    .execute()
}

const countIn = (condition: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from export_delivery e where e.destination_id = t.id and ${condition})`

const lastAttempt = (column: string) =>
  sql<never>`(select e.${sql.ref(column)} from export_delivery e
    where e.destination_id = t.id and e.last_attempt_at is not null order by e.last_attempt_at desc limit 1)`

/** Of this owner only. */
export function find(db: Db, owner: ExportOwner, id: number): Promise<ExportDestinationRow | undefined> {
  return db
    .selectFrom('export_destination')
    .select(columns)
    .where('id', '=', id)
    .where(ownedBy(owner))
    .executeTakeFirst()
}

export async function countOf(db: Db, owner: ExportOwner): Promise<number> {
  const { total } = await db
    .selectFrom('export_destination')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(ownedBy(owner))
    .executeTakeFirstOrThrow()
  return total
}

export interface ExportDestinationFields {
  readonly name: string
  readonly enabled: boolean
  readonly url: string
  readonly options: object
}

/** Starts with the next log row. `seal` gets the ID of the destination. */
export async function insert(
  transaction: Db,
  {
    kind,
    userId,
    fields,
    cursor,
  }: { kind: ExportDestinationRow['kind']; userId: ExportOwner; fields: ExportDestinationFields; cursor: number },
  seal: (id: number) => string,
): Promise<number> {
  const { id } = await transaction
    .insertInto('export_destination')
    .values({ ...fields, kind, user_id: userId, options: jsonText(fields.options), cursor_id: cursor })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('export_destination')
    .set({ sealed: seal(id) })
    .where('id', '=', id)
    .execute()
  return id
}

/** Also sends waiting deliveries at once: the change may have fixed them. */
export async function update(
  transaction: Db,
  id: number,
  { options, ...fields }: ExportDestinationFields & { sealed: string },
): Promise<void> {
  await transaction
    .updateTable('export_destination')
    .set({ ...fields, options: jsonText(options), retry_at: null })
    .where('id', '=', id)
    .execute()
}

export async function remove(db: Db, owner: ExportOwner, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('export_destination')
    .where('id', '=', id)
    .where(ownedBy(owner))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function removeAllOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('export_destination').where('user_id', '=', userId).execute()
}

/** What the planner needs of a destination. */
export type PlannedDestination = Pick<ExportDestinationRow, 'id' | 'user_id' | 'kind' | 'options' | 'cursor_id'>

/**
 * Destinations that get new deliveries: those with fewer than `maxOpen` open ones, so that a destination that is down
 * keeps its position in the log instead of a growing queue. Users must be active.
 */
export async function listToPlan(
  db: Db,
  { maxOpen, ofUsers }: { maxOpen: number; ofUsers: boolean },
): Promise<PlannedDestination[]> {
  const { rows } = await sql<PlannedDestination>`
    select t.id, t.user_id, t.kind, t.options, t.cursor_id
    from export_destination t left join "user" u on u.id = t.user_id
    where t.enabled and (t.user_id is null or (${ofUsers} and u.status = 1 and u.deleted_at is null))
      and (select count(*) from export_delivery e
        where e.destination_id = t.id and e.state in ('pending', 'sending')) < ${maxOpen}
    order by t.id`.execute(db)
  return rows
}

/** Moves destinations on, unless another process was faster. */
export async function advance(
  transaction: Db,
  ids: readonly number[],
  { after, last }: { after: number; last: number },
): Promise<number> {
  const moved = await transaction
    .updateTable('export_destination')
    .set({ cursor_id: last })
    .where('id', 'in', ids)
    .where('cursor_id', '=', after)
    .executeTakeFirst()
  return Number(moved.numUpdatedRows)
}

/** After a restore without the log, IDs start again below the positions. */
export async function limitCursors(db: Db, lastId: number): Promise<void> {
  await db.updateTable('export_destination').set({ cursor_id: lastId }).where('cursor_id', '>', lastId).execute()
}

export async function recordSuccess(db: Db, id: number): Promise<void> {
  await db
    .updateTable('export_destination')
    .set({ failures: 0, retry_at: null, last_success_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Counts a failed attempt. With `retryInSeconds`, nothing is sent to the destination until then. */
export async function recordFailure(db: Db, id: number, retryInSeconds: number | undefined): Promise<void> {
  const retry_at = retryInSeconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${retryInSeconds})`
  await db
    .updateTable('export_destination')
    .set((eb) => ({ failures: eb('failures', '+', 1), retry_at }))
    .where('id', '=', id)
    .execute()
}
