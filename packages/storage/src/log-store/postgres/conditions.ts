import { api } from '@tidegate/contract'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { Database } from '../../schema/index.ts'
import { fromSeconds, type LogCursor, type LogFilters, type RequestStatus } from '../log-store.ts'

export function applyFilters(db: Db, filters: LogFilters): SelectQueryBuilder<Database, 'usage_log', object> {
  return conditions(filters).reduce((query, condition) => query.where(condition), db.selectFrom('usage_log'))
}

/** The maximum number of rows to read for filters without an index. */
export const MAX_SCANNED_ROWS = 200_000

type LogQuery = SelectQueryBuilder<Database, 'usage_log', object>

/**
 * The rows that match, optionally only those after a cursor. Filters without an index apply to the newest rows of the
 * other filters, so that a rare value does not read the whole log.
 */
export function matching(db: Db, filters: LogFilters, after?: LogCursor): LogQuery {
  const { indexed, scanned } = separateFilters(filters)
  const rows = afterCursor(applyFilters(db, indexed), after)
  if (Object.keys(scanned).length === 0) return rows
  const newest = newestFirst(rows.selectAll('usage_log')).limit(MAX_SCANNED_ROWS)
  const from = db.selectFrom(newest.as('usage_log')) as unknown as LogQuery
  return conditions(scanned).reduce((query, condition) => query.where(condition), from)
}

export const EXACTLY = sql<string>`to_char(usage_log.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

function afterCursor(query: LogQuery, after: LogCursor | undefined): LogQuery {
  if (!after) return query
  return query
    .where(sql<boolean>`usage_log.created_at <= ${after.exactly}::timestamptz`) // prunes newer partitions
    .where(sql<boolean>`(usage_log.created_at, usage_log.id) < (${after.exactly}::timestamptz, ${after.id})`)
}

/** Where `matching` stops to read, if the log goes on there. */
export async function scanEnd(db: Db, filters: LogFilters, after?: LogCursor): Promise<LogCursor | undefined> {
  if (!isScanned(filters)) return undefined
  const { indexed } = separateFilters(filters)
  return newestFirst(afterCursor(applyFilters(db, indexed), after).select([EXACTLY.as('exactly'), 'usage_log.id']))
    .offset(MAX_SCANNED_ROWS - 1)
    .limit(1)
    .executeTakeFirst()
}

export function newestFirst<Row>(query: SelectQueryBuilder<Database, 'usage_log', Row>) {
  return query.orderBy('usage_log.created_at', 'desc').orderBy('usage_log.id', 'desc')
}

/** A type or channel of 0 does not filter. */
export function conditions(filters: LogFilters): RawBuilder<boolean>[] {
  const { userId, type, tokenId, token_name, models, group, request_id, channel } = filters
  const { start_timestamp: start, end_timestamp: end, statuses, isStream, retried, minDurationMs } = filters
  return [
    userId === undefined ? undefined : sql<boolean>`usage_log.user_id = ${userId}`,
    filters.userIds ? isOneOf(sql`usage_log.user_id`, filters.userIds) : undefined,
    type ? sql<boolean>`usage_log.type = ${type}` : undefined,
    filters.types ? isOneOf(sql`usage_log.type`, filters.types) : undefined,
    tokenId === undefined ? undefined : sql<boolean>`usage_log.token_id = ${tokenId}`,
    token_name === undefined ? undefined : sql<boolean>`usage_log.token_name = ${token_name}`,
    models ? isOneOf(sql`usage_log.model_name`, models) : undefined,
    group === undefined ? undefined : sql<boolean>`usage_log."group" = ${group}`,
    request_id === undefined ? undefined : sql<boolean>`usage_log.request_id = ${request_id}`,
    channel ? sql<boolean>`usage_log.channel_id = ${channel}` : undefined,
    filters.channels ? isOneOf(sql`usage_log.channel_id`, filters.channels) : undefined,
    filters.uncovered ? UNCOVERED : undefined,
    statuses
      ? sql<boolean>`(${sql.join(
          statuses.map((status) => HAS_STATUS[status]),
          sql` or `,
        )})`
      : undefined,
    filters.errorCodes
      ? sql<boolean>`(usage_log.type = 6 and ${ERROR_CODE} = any(${filters.errorCodes}::text[]))`
      : undefined,
    isStream === undefined ? undefined : sql<boolean>`usage_log.is_stream = ${isStream}`,
    retried === undefined ? undefined : retried ? IS_RETRIED : sql<boolean>`not ${IS_RETRIED}`,
    minDurationMs ? sql<boolean>`usage_log.use_time_ms >= ${minDurationMs}` : undefined,
    start ? sql<boolean>`usage_log.created_at >= ${fromSeconds(start)}` : undefined,
    end ? sql<boolean>`usage_log.created_at < ${fromSeconds(end + 1)}` : undefined,
  ].filter((condition) => condition !== undefined)
}

/** A single value uses `=`, because only then does an index return rows ordered by time. */
function isOneOf(column: RawBuilder<unknown>, values: readonly (string | number)[]) {
  return values.length === 1 ? sql<boolean>`${column} = ${values[0]}` : sql<boolean>`${column} = any(${values})`
}

/** Ordered by selectivity; each has its own index. */
const INDEXED = [
  'request_id',
  'uncovered',
  'tokenId',
  'token_name',
  'channel',
  'channels',
  'userId',
  'userIds',
  'models',
  'type',
  'group',
] as const
/** Without an index. Only error rows have one, that of the type: the status `error` alone, and error codes. */
const SCANNED = ['types', 'statuses', 'errorCodes', 'isStream', 'retried', 'minDurationMs'] as const

type FilterName = (typeof INDEXED | typeof SCANNED)[number]

function activeFilters(filters: LogFilters): { indexed: FilterName[]; scanned: FilterName[] } {
  const isActive = (name: FilterName) =>
    filters[name] !== undefined && filters[name] !== 0 && (name !== 'uncovered' || filters.uncovered === true)
  const errorsOnly = filters.statuses?.every((status) => status === 'error') === true
  const hasIndex = (name: FilterName) => name === 'errorCodes' || (name === 'statuses' && errorsOnly)
  const active = SCANNED.filter(isActive).filter((name) => name !== 'types' || commonTypes(filters) === undefined)
  return {
    indexed: [...INDEXED.filter(isActive), ...active.filter(hasIndex)],
    scanned: active.filter((name) => !hasIndex(name)),
  }
}

/** Types that nearly all rows have, so that the filter needs no index: requests are by far the most rows. */
function commonTypes({ types }: LogFilters): readonly number[] | undefined {
  return types?.includes(api.LOG_TYPE.consumption) ? types : undefined
}

function pick(filters: LogFilters, names: readonly FilterName[]): LogFilters {
  return Object.fromEntries(names.map((name) => [name, filters[name]]))
}

function separateFilters(filters: LogFilters): { indexed: LogFilters; scanned: LogFilters } {
  const { indexed, scanned } = activeFilters(filters)
  const { start_timestamp, end_timestamp } = filters
  const always = { start_timestamp, end_timestamp, types: commonTypes(filters) }
  return { indexed: { ...pick(filters, indexed), ...always }, scanned: pick(filters, scanned) }
}

/** Whether a filter has no index. */
export function isScanned(filters: LogFilters): boolean {
  return activeFilters(filters).scanned.length > 0
}

/** Splits filters into the most selective one (with the period and the types) and the others. */
export function splitFilters(filters: LogFilters): [first: LogFilters, rest: LogFilters] {
  const { indexed, scanned } = activeFilters(filters)
  const { start_timestamp, end_timestamp } = filters
  const first = pick(filters, indexed.slice(0, 1))
  const always = { start_timestamp, end_timestamp, types: commonTypes(filters) }
  return [{ ...first, ...always }, pick(filters, [...indexed.slice(1), ...scanned])]
}

/** Code of an error row; blank if it has none. */
export const ERROR_CODE = sql<string>`coalesce(usage_log.other ->> 'error_code', '')`
const UNCOVERED = sql<boolean>`usage_log.other ? 'uncovered'`
/** At least two attempts, in lists that the gateway writes. */
export const IS_RETRIED = sql<boolean>`coalesce(usage_log.other @? '$.admin_info.use_channel[1]', false)`
const IS_INTERRUPTED = sql<boolean>`usage_log.other
  ?| array['interrupted', 'stream_interrupted', 'client_disconnected', 'access_revoked']`

/** Conditions of each status. They are false for rows that are not requests. */
export const HAS_STATUS: Readonly<Record<RequestStatus, RawBuilder<boolean>>> = {
  success: sql`(usage_log.type = 2 and not ${IS_INTERRUPTED})`,
  error: sql`(usage_log.type = 6 and not usage_log.other ? 'not_final')`,
  interrupted: sql`(usage_log.type = 2 and ${IS_INTERRUPTED})`,
}
