import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { packRows } from './outbox-writer.ts'
import { REPLAY_DAYS } from './parcels.ts'

const ROWS_PER_TRANSACTION = 5_000
/** Requests. Top-ups and administrative changes stay in PostgreSQL. */
const REQUEST_TYPES = [2, 6]

interface TableRow {
  at: string
  id: number
  type: number
  quota: number
  request_id: string
  is_recent: boolean
  other: Record<string, unknown>
}

/** Of requests that a replay of a journal can contain. */
const CHARGED_TYPE = 2

/**
 * Moves rows of a day from the table to the outbox, in one transaction: a row is in one of them, whatever fails. Returns
 * the number of rows; 0 when the day is done.
 */
export async function moveToOutbox(db: Db, day: string, limit = ROWS_PER_TRANSACTION): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<TableRow>`
      delete from usage_log where (created_at, id) in (
        select created_at, id from usage_log
        where created_at >= ${`${day} 00:00Z`}::timestamptz and created_at < ${`${day} 00:00Z`}::timestamptz + interval '1 day'
          and type = any(${REQUEST_TYPES}) order by created_at, id limit ${limit} for update
      ) and created_at >= ${`${day} 00:00Z`}::timestamptz
        and created_at < ${`${day} 00:00Z`}::timestamptz + interval '1 day'
      returning created_at > now() - make_interval(days => ${REPLAY_DAYS}) as is_recent, (extract(epoch from created_at) * 1000000)::bigint as at, id, type, user_id, username, token_id,
        token_name, model_name, quota, prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, "group",
        client_ip, request_id, content, other`.execute(transaction)
    const sorted = rows.toSorted((a, b) => Number(a.at) - Number(b.at) || a.id - b.id)
    const first = sorted[0]
    if (!first) return 0
    const moved = sorted.map(({ id: _id, at, is_recent: _recent, ...row }) => ({ ...row, created_at: Number(at) }))
    // A replay of a journal looks for charged requests in PostgreSQL.
    const checkpointed = sorted.flatMap(({ type, is_recent, request_id }) =>
      type === CHARGED_TYPE && is_recent && request_id !== '' ? [request_id] : [],
    )
    for (const statement of await packRows({ series: `move:${day}`, batch: first.id, checkpointed }, moved)) {
      await statement.execute(transaction)
    }
    return rows.length
  })
}

/** Days that got rows while the outbox was full, oldest first. */
export async function spilledDays(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text as day from log_move order by day`.execute(db)
  return rows.map(({ day }) => day)
}

export async function forgetSpilledDay(db: Db, day: string): Promise<void> {
  await sql`delete from log_move where day = ${day}::date`.execute(db)
}

/** Days of the table with rows of requests, newest first. */
export async function daysOfTable(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct (created_at at time zone 'UTC')::date::text as day from usage_log
    where type = any(${REQUEST_TYPES}) order by day desc`.execute(db)
  return rows.map(({ day }) => day)
}

/** Where new rows go: to the outbox, or to the table while the log moves to PostgreSQL. */
export async function setTarget(db: Db, store: 'outbox' | 'table'): Promise<void> {
  await sql`update log_target set store = ${store}`.execute(db)
}
