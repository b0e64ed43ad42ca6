import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { LogRow } from '../log-store.ts'

/**
 * The requests of the log in the order in which they were inserted, for readers that must not miss one. Times do not
 * show that order: a journal that is applied hours later inserts rows with old times. IDs do, apart from transactions
 * that run at the same time: `safeLogId` waits for those.
 */

/** A part of the log: IDs after `after` up to `last`. */
export interface LogRange {
  readonly after: number
  readonly last: number
}

export interface LogRangeOfUser extends LogRange {
  readonly userId: number | undefined
  readonly includeFailed: boolean
  /** Times of the oldest and the newest row. */
  readonly from: Date
  readonly to: Date
}

/** Requests of one user in a part of the log. */
export interface UserRequests {
  readonly user_id: number
  readonly served: number
  readonly failed: number
  readonly first_time: Date
  readonly last_time: Date
}

/** The last ID that any transaction took, whether it is committed or not. */
export async function lastLogId(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select case when is_called then last_value else 0 end as last from usage_log_id`.execute(db)
  return rows[0]!.last
}

/** Transactions that may insert or delete log rows, by their virtual IDs, which are not used again. */
async function openWriters(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct virtualtransaction as id from pg_locks
    where locktype = 'relation' and relation = 'usage_log'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns a function for the ID up to which the log is complete: no transaction can commit a lower one later. An insert
 * locks the log before it takes an ID, and unlocks it after its rows are visible. So the IDs up to one that was read
 * are final when every transaction that then had the lock has ended. The snapshot of a transaction ID would not do: a
 * statement takes its first ID from the sequence before its transaction gets an ID. A long transaction only delays it.
 */
export function followSafeLogId(): (db: Db) => Promise<number> {
  let safe = 0
  let next: { id: number; writers: Set<string> } | undefined
  return async (db) => {
    // Two statements: the lock must be read after the sequence.
    next ??= { id: await lastLogId(db), writers: await openWriters(db) }
    if (next.writers.size > 0) {
      const open = await openWriters(db)
      next = { ...next, writers: new Set([...next.writers].filter((writer) => open.has(writer))) }
    }
    if (next.writers.size > 0) return safe
    safe = next.id
    next = undefined
    return safe
  }
}

/** Requests, without channel tests and failed attempts of requests that went on. */
const IS_REQUEST = sql<boolean>`
  (usage_log.type = 2 or (usage_log.type = 6 and not usage_log.other ? 'not_final')) and not usage_log.other ? 'test'`
const IS_SERVED = sql<boolean>`usage_log.type = 2 and not usage_log.other ? 'test'`

/** Counts the requests of each user. Times are rounded outwards to milliseconds. */
export async function countRequests(db: Db, { after, last }: LogRange): Promise<UserRequests[]> {
  const { rows } = await sql<UserRequests>`
    select user_id, count(*) filter (where type = 2) as served, count(*) filter (where type = 6) as failed,
      min(created_at) as first_time, max(created_at) + interval '1 millisecond' as last_time
    from usage_log where id > ${after} and id <= ${last} and ${IS_REQUEST}
    group by user_id`.execute(db)
  return rows
}

/** The requests in a part of the log, oldest ID first. */
export async function readRequests(
  db: Db,
  { after, last, userId, includeFailed, from, to }: LogRangeOfUser,
): Promise<LogRow[]> {
  const owner = userId === undefined ? sql`` : sql`and usage_log.user_id = ${userId}`
  const { rows } = await sql<LogRow>`
    select usage_log.id, usage_log.created_at, usage_log.type, usage_log.user_id, usage_log.username,
      usage_log.token_id, usage_log.token_name, usage_log.model_name, usage_log.quota, usage_log.prompt_tokens,
      usage_log.completion_tokens, usage_log.use_time_ms, usage_log.is_stream, usage_log.channel_id,
      usage_log."group", usage_log.client_ip, usage_log.request_id, usage_log.content, usage_log.other,
      channel.name as channel_name
    from usage_log left join channel on channel.id = usage_log.channel_id
    where usage_log.created_at >= ${from} and usage_log.created_at <= ${to}
      and usage_log.id > ${after} and usage_log.id <= ${last}
      and ${includeFailed ? IS_REQUEST : IS_SERVED} ${owner}
    order by usage_log.id`.execute(db)
  return rows
}
