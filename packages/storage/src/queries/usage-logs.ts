import type { Insertable } from 'kysely'
import type { Db } from '../connect.ts'
import { ensureUsageLogPartitions } from '../partitions.ts'
import type { UsageLogTable } from '../schema/index.ts'

export interface LogFilters {
  userId?: number
  type?: number
  username?: string
  token_name?: string
  /** A LIKE pattern, as the console lets people type `%`. */
  model_name?: string
  group?: string
  channel?: number
  start_timestamp?: number
  end_timestamp?: number
}

/** A row outside of any transaction. Its day gets a partition if nobody made one yet. */
export async function insert(db: Db, row: Insertable<UsageLogTable> & { created_at: Date }): Promise<void> {
  await ensureUsageLogPartitions(db, { from: row.created_at, days: 1 })
  await db.insertInto('usage_log').values(row).execute()
}

export async function page(db: Db, filters: LogFilters, { limit, offset }: { limit: number; offset: number }) {
  const items = await filtered(db, filters)
    .leftJoin('channel', 'channel.id', 'usage_log.channel_id')
    .select([
      'usage_log.id',
      'usage_log.created_at',
      'usage_log.type',
      'usage_log.user_id',
      'usage_log.username',
      'usage_log.token_id',
      'usage_log.token_name',
      'usage_log.model_name',
      'usage_log.quota',
      'usage_log.prompt_tokens',
      'usage_log.completion_tokens',
      'usage_log.use_time_ms',
      'usage_log.is_stream',
      'usage_log.channel_id',
      'usage_log.group',
      'usage_log.client_ip',
      'usage_log.request_id',
      'usage_log.content',
      'usage_log.other',
      'channel.name as channel_name',
    ])
    .orderBy('usage_log.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return items
}

export type LogRow = Awaited<ReturnType<typeof page>>[number]

export async function count(db: Db, filters: LogFilters): Promise<number> {
  const { total } = await filtered(db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function filtered(db: Db, filters: LogFilters) {
  let query = db.selectFrom('usage_log')
  if (filters.userId !== undefined) query = query.where('usage_log.user_id', '=', filters.userId)
  if (filters.type) query = query.where('usage_log.type', '=', filters.type) // 0 means all
  if (filters.username !== undefined) query = query.where('usage_log.username', '=', filters.username)
  if (filters.token_name !== undefined) query = query.where('usage_log.token_name', '=', filters.token_name)
  if (filters.model_name !== undefined) query = query.where('usage_log.model_name', 'like', filters.model_name)
  if (filters.group !== undefined) query = query.where('usage_log.group', '=', filters.group)
  if (filters.channel) query = query.where('usage_log.channel_id', '=', filters.channel)
  if (filters.start_timestamp) query = query.where('usage_log.created_at', '>=', fromSeconds(filters.start_timestamp))
  if (filters.end_timestamp) query = query.where('usage_log.created_at', '<', fromSeconds(filters.end_timestamp + 1))
  return query
}

/** Past the year 9999 a timestamp is a typing mistake; the clamp keeps it a date. */
function fromSeconds(seconds: number): Date {
  return new Date(Math.min(Math.max(seconds, 0), 253_402_300_799) * 1000)
}

/** Rows that no money stands behind, such as failed attempts. What was spent is written with its booking. */
export async function insertFree(db: Db, rows: readonly (Insertable<UsageLogTable> & { quota?: 0 })[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('usage_log').values(rows).execute()
}
