import { sql, type ExpressionBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { Database } from '../../schema/index.ts'
import {
  conditions,
  EXACTLY,
  applyFilters,
  matching,
  MAX_SCANNED_ROWS,
  newestFirst,
  scanEnd,
  splitFilters,
} from './conditions.ts'
import type {
  CountedRows,
  LogCursor,
  LogFilters,
  LogPosition,
  LogRow,
  LogRowPage,
  NewLogRow,
  RejectedRows,
  UncoveredSum,
} from '../log-store.ts'

/** Inserts rows without a charge, such as failed attempts. Charged rows are written by settlement batches. */
export async function insertUncharged(db: Db, rows: readonly NewLogRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('usage_log').values(rows).execute()
}

/** Removes the oldest rows of rejected requests in a period, at most `limit`. They have no charge. */
export async function removeRejected(db: Db, { after, before, type, limit }: RejectedRows): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from usage_log where (created_at, id) in (
      select created_at, id from usage_log
      where type = ${type} and created_at >= ${after} and created_at < ${before} and other ? 'rejected'
      order by created_at, id limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}

/** A log row with its cursor. */
interface LogRowWithCursor extends LogRow, LogCursor {
  id: number
}

/** Newest first. The cost of a page after a cursor does not grow with its position. */
export async function page(
  db: Db,
  filters: LogFilters,
  { after, offset = 0, limit }: LogPosition,
): Promise<LogRowPage> {
  const rows = await (after || offset === 0
    ? pageAfter(db, filters, after, limit)
    : pageAt(db, filters, { offset, limit }))
  return { rows, next: await nextCursor(db, filters, after, { rows, limit }) }
}

/** Skipped rows are counted in an index; only the rows of the page are read. */
function pageAt(
  db: Db,
  filters: LogFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<LogRowWithCursor[]> {
  const position = newestFirst(matching(db, filters).select(['usage_log.created_at', 'usage_log.id']))
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom(position.as('position'))
    .innerJoin('usage_log', (join) =>
      join.onRef('usage_log.created_at', '=', 'position.created_at').onRef('usage_log.id', '=', 'position.id'),
    )
    .leftJoin('channel', 'channel.id', 'usage_log.channel_id')
    .select([...COLUMNS, EXACTLY.as('exactly')])
    .orderBy('usage_log.created_at', 'desc')
    .orderBy('usage_log.id', 'desc')
    .execute()
}

function pageAfter(
  db: Db,
  filters: LogFilters,
  after: LogCursor | undefined,
  limit: number,
): Promise<LogRowWithCursor[]> {
  return matching(db, filters, after)
    .leftJoin('channel', 'channel.id', 'usage_log.channel_id')
    .select([...COLUMNS, EXACTLY.as('exactly')])
    .orderBy('usage_log.created_at', 'desc')
    .orderBy('usage_log.id', 'desc')
    .limit(limit)
    .execute()
}

/** Where the next page begins; undefined at the end of the log. A page with few matches can have a next one. */
async function nextCursor(
  db: Db,
  filters: LogFilters,
  after: LogCursor | undefined,
  { rows, limit }: { rows: readonly LogRowWithCursor[]; limit: number },
): Promise<LogCursor | undefined> {
  const last = rows.at(-1)
  if (last && rows.length === limit) return { exactly: last.exactly, id: last.id }
  return scanEnd(db, filters, after)
}

/** The maximum number of rows to scan when no index supports all filters. */
const MAX_SCANNED = 20_000

/**
 * The number of matching rows. Counting stops at `max`. With several filters, only the newest rows of the most
 * selective filter are scanned.
 */
export async function count(db: Db, filters: LogFilters, max: number): Promise<CountedRows> {
  const [first, rest] = splitFilters(filters)
  if (Object.keys(rest).length === 0) {
    const count = await countRows(db, applyFilters(db, first), max + 1)
    return { count: Math.min(count, max), more: count > max }
  }
  const newest = applyFilters(db, first)
    .selectAll('usage_log')
    .orderBy('usage_log.created_at', 'desc')
    .orderBy('usage_log.id', 'desc')
    .limit(MAX_SCANNED + 1)
  const { seen, found } = await db
    .selectFrom(newest.as('usage_log'))
    .select((eb) => [
      eb.fn.countAll<number>().as('seen'),
      sql<number>`count(*) filter (where ${sql.join(conditions(rest), sql` and `)})`.as('found'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Math.min(found, max), more: seen > MAX_SCANNED || found > max }
}

async function countRows(db: Db, rows: ReturnType<typeof applyFilters>, limit: number): Promise<number> {
  const { total } = await db
    .selectFrom(rows.select('usage_log.id').limit(limit).as('row'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Requests and tokens since a time, without channel tests. */
export async function rate(db: Db, filters: LogFilters, since: Date): Promise<{ calls: number; tokens: number }> {
  const unbounded = { ...filters, start_timestamp: undefined, end_timestamp: undefined, type: CONSUMPTION }
  return applyFilters(db, unbounded)
    .where('usage_log.created_at', '>=', since)
    .where(NOT_A_TEST)
    .select((eb) => [eb.fn.countAll<number>().as('calls'), sumOf(eb, TOKENS).as('tokens')])
    .executeTakeFirstOrThrow()
}

/** The cost of matching requests, summed from log rows, without channel tests. */
export async function sumQuota(db: Db, filters: LogFilters): Promise<number> {
  const { quota } = await applyFilters(db, { ...filters, type: CONSUMPTION })
    .where(NOT_A_TEST)
    .select((eb) => sumOf(eb, sql<number>`usage_log.quota`).as('quota'))
    .executeTakeFirstOrThrow()
  return quota
}

/** The same for filters without an index: only the newest rows of the other filters are read. */
export async function sumNewest(db: Db, filters: LogFilters): Promise<{ quota: number; capped: boolean }> {
  const [first, rest] = splitFilters({ ...filters, type: CONSUMPTION })
  const newest = newestFirst(applyFilters(db, first).selectAll('usage_log')).limit(MAX_SCANNED_ROWS + 1)
  const matches = sql.join([...conditions(rest), NOT_A_TEST], sql` and `)
  const { quota, seen } = await db
    .selectFrom(newest.as('usage_log'))
    .select((eb) => [
      sql<number>`coalesce(sum(usage_log.quota) filter (where ${matches}), 0)::bigint`.as('quota'),
      eb.fn.countAll<number>().as('seen'),
    ])
    .executeTakeFirstOrThrow()
  return { quota, capped: seen > MAX_SCANNED_ROWS }
}

/** The maximum number of newest rows to sum. */
const MAX_UNCOVERED_ROWS = 100_000

/** What matching requests cost beyond what their accounts could pay. */
export async function sumUncovered(db: Db, filters: LogFilters): Promise<UncoveredSum> {
  const newest = applyFilters(db, { ...filters, uncovered: true })
    .select(['usage_log.quota', 'usage_log.other'])
    .orderBy('usage_log.created_at', 'desc')
    .orderBy('usage_log.id', 'desc')
    .limit(MAX_UNCOVERED_ROWS)
  const sums = await db
    .selectFrom(newest.as('newest'))
    .select((eb) => [
      eb.fn.countAll<number>().as('requests'),
      sql<number>`coalesce(sum((newest.other->>'uncovered')::bigint), 0)::bigint`.as('quota'),
      sql<number>`coalesce(sum(newest.quota), 0)::bigint`.as('charged'),
    ])
    .executeTakeFirstOrThrow()
  return { ...sums, capped: sums.requests === MAX_UNCOVERED_ROWS }
}

/** The number of rows in days that lie completely before a time. */
export async function countDroppable(db: Db, before: Date): Promise<number> {
  const midnight = new Date(Math.floor(before.getTime() / 86_400_000) * 86_400_000)
  const { total } = await db
    .selectFrom('usage_log')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('created_at', '<', midnight)
    .executeTakeFirstOrThrow()
  return total
}

/**
 * Removes at most `limit` rows from before a time and returns their number. Top-ups and administrative changes newer
 * than `floor` stay.
 */
export async function removeSome(
  db: Db,
  { before, floor, limit }: { before: Date; floor: Date; limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from usage_log where (created_at, id) in (
      select created_at, id from usage_log
      where created_at < ${before} and (created_at < ${floor} or type not in (1, 3))
      order by created_at limit ${limit}
    ) and created_at < ${before}`.execute(db)
  return Number(numAffectedRows)
}

/** Searches the newest rows by type, or by the start of their text, which has no index. */
export async function search(db: Db, userId: number | undefined, keyword: string, limit: number): Promise<LogRow[]> {
  if (/^\d$/.test(keyword)) return pageAfter(db, { userId, type: Number(keyword) }, undefined, limit)
  const newest = applyFilters(db, { userId })
    .selectAll('usage_log')
    .orderBy('usage_log.created_at', 'desc')
    .orderBy('usage_log.id', 'desc')
    .limit(MAX_SCANNED)
  return db
    .selectFrom(newest.as('usage_log'))
    .leftJoin('channel', 'channel.id', 'usage_log.channel_id')
    .select(COLUMNS)
    .where(sql<boolean>`starts_with(usage_log.content, ${keyword})`)
    .orderBy('usage_log.created_at', 'desc')
    .orderBy('usage_log.id', 'desc')
    .limit(limit)
    .execute()
}

const CONSUMPTION = 2
const NOT_A_TEST = sql<boolean>`not usage_log.other ? 'test'`
const TOKENS = sql<number>`usage_log.prompt_tokens + usage_log.completion_tokens`

function sumOf(eb: ExpressionBuilder<Database, 'usage_log'>, value: ReturnType<typeof sql<number>>) {
  return eb.cast<number>(eb.fn.coalesce(eb.fn.sum(value), eb.lit(0)), 'bigint')
}

const COLUMNS = [
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
] as const
