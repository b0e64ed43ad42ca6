import { sql } from 'kysely'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Db } from '../../connection/connect.ts'
import { IDS_PER_PART } from './outbox-writer.ts'

const decompress = promisify(zstdDecompress)

/** Large inserts suit a column store; more rows would burden the memory. */
const PARCEL_ROWS = 20_000
/** Outbox rows of one parcel. */
const PARCEL_PARTS = 500
/** A column store accepts parts of few days at once. */
const PARCEL_DAYS = 60
const DAY_MS = 86_400_000

/** A batch of rows in the outbox. */
export interface OutboxPart {
  readonly id: number
  readonly series: string
  readonly batch: number
  readonly rows: number
  readonly first_at: Date
  readonly last_at: Date
}

/** Rows that are sent together. Its content never changes, so that its token makes it count once. */
export interface Parcel {
  readonly id: number
  readonly token: string
  readonly rows: number
  readonly first_at: Date
  readonly last_at: Date
  readonly attempts: number
  /** How often rows of it were removed from the store. */
  readonly generation: number
  /** Since it was fixed, by the clock of PostgreSQL. */
  readonly age_seconds: number
}

/** What the store remembers of a parcel, so that it counts once. */
export function tokenOf({ token, generation }: Parcel): string {
  return generation === 0 ? token : `${token} ${generation}`
}

const AGE = sql<number>`extract(epoch from now() - fixed_at)::float8`.as('age_seconds')

/** The oldest parcel that was fixed and is not known to have arrived. */
export async function openParcel(db: Db): Promise<Parcel | undefined> {
  return db
    .selectFrom('log_parcel')
    .selectAll()
    .select(AGE)
    .where('shipped_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function findParcel(db: Db, id: number): Promise<Parcel> {
  return db.selectFrom('log_parcel').selectAll().select(AGE).where('id', '=', id).executeTakeFirstOrThrow()
}

/** The oldest rows that are in no parcel, as many as one takes. */
export async function waitingParts(db: Db): Promise<OutboxPart[]> {
  const rows = await db
    .selectFrom('log_outbox')
    .select(['id', 'series', 'batch', 'rows', 'first_at', 'last_at'])
    .where('parcel', 'is', null)
    .where('rows', '>', sql.lit(0))
    .orderBy('id')
    .limit(PARCEL_PARTS)
    .$narrowType<{ first_at: Date; last_at: Date }>()
    .execute()
  const taken: OutboxPart[] = []
  const days = new Set<number>()
  let total = 0
  for (const part of rows) {
    total += part.rows
    for (let day = dayOf(part.first_at); day <= dayOf(part.last_at); day += 1) days.add(day)
    if (taken.length > 0 && (total > PARCEL_ROWS || days.size > PARCEL_DAYS)) break
    taken.push(part)
  }
  return taken
}

function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS)
}

/** Says durably which rows are sent together, before any is sent. Rows that arrived before need not be sent. */
export async function fixParcel(db: Db, parts: readonly OutboxPart[], arrived: boolean): Promise<void> {
  if (parts.length === 0) return
  const ids = parts.map(({ id }) => id)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const first = new Date(Math.min(...parts.map((part) => part.first_at.getTime())))
  const last = new Date(Math.max(...parts.map((part) => part.last_at.getTime())))
  await db.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('log_parcel')
      .values({ rows, first_at: first, last_at: last, shipped_at: arrived ? sql<Date>`now()` : null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { numUpdatedRows } = await transaction
      .updateTable('log_outbox')
      .set({ parcel: id })
      .where('id', 'in', ids)
      .where('parcel', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== BigInt(ids.length)) throw new ParcelConflict()
  })
}

/** Another process has put some of the rows into a parcel. */
export class ParcelConflict extends Error {}

export async function countAttempt(db: Db, { id }: Parcel): Promise<void> {
  await sql`update log_parcel set attempts = attempts + 1 where id = ${id}`.execute(db)
}

/**
 * Gives a parcel another token. The store remembers the old one, so it must be replaced before rows are removed and sent
 * again. Throws if another process has replaced it.
 */
export async function raiseGeneration(db: Db, { id, generation }: Parcel): Promise<Parcel> {
  const { numUpdatedRows } = await db
    .updateTable('log_parcel')
    .set({ generation: generation + 1 })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Error(`Another process sends parcel ${id}. Run the command again.`)
  return findParcel(db, id)
}

export async function markShipped(db: Db, { id }: Parcel): Promise<void> {
  await sql`update log_parcel set shipped_at = now() where id = ${id} and shipped_at is null`.execute(db)
}

/** The rows of a parcel as lines of JSON, in an order that never changes. Undefined if they are not kept any more. */
export async function readParcel(db: Db, { id, token, rows }: Parcel): Promise<string[] | undefined> {
  const parts = await db
    .selectFrom('log_outbox')
    .select(['id', 'series', 'batch', 'payload'])
    .where('parcel', '=', id)
    .orderBy('id')
    .execute()
  const texts: string[] = []
  let total = 0
  for (const part of parts) {
    if (!part.payload) return undefined
    const lines = (await decompress(part.payload)).toString().split('\n')
    const same = `"parcel":"${token}","series":${JSON.stringify(part.series)},"batch":${part.batch},`
    texts.push(lines.map((line, index) => `{"id":${part.id * IDS_PER_PART + index},${same}${line.slice(1)}\n`).join(''))
    total += lines.length
  }
  if (total !== rows) throw new Error(`parcel ${id} has ${total} rows, ${rows} were fixed`)
  return texts
}

/** How long payloads stay after they arrived, so that `tidegate verify --repair-log` can send them again. */
const PAYLOAD_RETENTION = sql`interval '1 hour'`

/** Removes payloads that arrived: those that are old, and the oldest of those that take more than `bytes`. */
export async function removeShippedPayloads(db: Db, bytes: number): Promise<void> {
  await sql`
    with shipped as (
      select o.id, p.shipped_at, sum(o.bytes) over (order by o.id desc) as total
      from log_outbox o join log_parcel p on p.id = o.parcel
      where p.shipped_at is not null and o.payload is not null
    )
    update log_outbox o set payload = null from shipped s
    where o.id = s.id and (s.shipped_at < now() - ${PAYLOAD_RETENTION} or s.total > ${bytes})`.execute(db)
}

/** Days after which no journal of a dead process is replayed. Settlement batches are remembered as long. */
export const REPLAY_DAYS = 7

/** Removes parcels that arrived before a time, and the requests with checkpoints that no journal can contain any more. */
export async function removeShipped(db: Db, before: Date): Promise<void> {
  await sql`
    delete from log_outbox o where created_at < ${before} and (rows = 0
      or exists (select from log_parcel p where p.id = o.parcel and p.shipped_at < ${before}))`.execute(db)
  await sql`
    delete from log_parcel p where shipped_at < ${before} and not exists (
      select from log_outbox where parcel = p.id)`.execute(db)
}

export interface OutboxSize {
  /** Where new rows go. */
  readonly store: 'outbox' | 'table'
  readonly rows: number
  readonly bytes: number
  /** Of the oldest row that has not arrived. */
  readonly ageSeconds: number
  /** Exports read rows from the table. */
  readonly hasExports: boolean
}

/** What has not arrived in the other store. */
export async function outboxSize(db: Db): Promise<OutboxSize> {
  const { rows } = await sql<OutboxSize>`
    select t.store, w.rows::bigint as rows, w.bytes::bigint as bytes, w.age::float8 as "ageSeconds",
      exists (select from export_destination where enabled and (user_id is null
        or exists (select from option where key = 'UserExportsEnabled' and value = 'true'))) as "hasExports"
    from log_target t, (
      select coalesce(sum(o.rows), 0) as rows, coalesce(sum(o.bytes), 0) as bytes,
        coalesce(extract(epoch from now() - min(o.created_at)), 0) as age
      from (
        select rows, bytes, created_at from log_outbox where parcel is null and rows > 0
        union all
        select o.rows, o.bytes, o.created_at from log_parcel p join log_outbox o on o.parcel = p.id
        where p.shipped_at is null
      ) o
    ) w`.execute(db)
  return rows[0]!
}
