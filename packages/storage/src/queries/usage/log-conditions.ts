import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { Database } from '../../schema/index.ts'

export interface LogFilters {
  userId?: number | undefined
  type?: number
  tokenId?: number
  token_name?: string
  models?: readonly string[]
  group?: string
  channel?: number
  start_timestamp?: number | undefined
  end_timestamp?: number | undefined
  request_id?: string
  /** Only requests that cost more than their account could pay. */
  uncovered?: boolean
}

export function filtered(db: Db, filters: LogFilters): SelectQueryBuilder<Database, 'usage_log', object> {
  return conditions(filters).reduce((query, condition) => query.where(condition), db.selectFrom('usage_log'))
}

/** A type or channel of 0 does not filter. */
export function conditions(filters: LogFilters): RawBuilder<boolean>[] {
  const { userId, type, tokenId, token_name, models, group, request_id, channel } = filters
  const { start_timestamp: start, end_timestamp: end } = filters
  return [
    userId === undefined ? undefined : sql<boolean>`usage_log.user_id = ${userId}`,
    type ? sql<boolean>`usage_log.type = ${type}` : undefined,
    tokenId === undefined ? undefined : sql<boolean>`usage_log.token_id = ${tokenId}`,
    token_name === undefined ? undefined : sql<boolean>`usage_log.token_name = ${token_name}`,
    models ? isOneOf(models) : undefined,
    group === undefined ? undefined : sql<boolean>`usage_log."group" = ${group}`,
    request_id === undefined ? undefined : sql<boolean>`usage_log.request_id = ${request_id}`,
    channel ? sql<boolean>`usage_log.channel_id = ${channel}` : undefined,
    filters.uncovered ? UNCOVERED : undefined,
    start ? sql<boolean>`usage_log.created_at >= ${fromSeconds(start)}` : undefined,
    end ? sql<boolean>`usage_log.created_at < ${fromSeconds(end + 1)}` : undefined,
  ].filter((condition) => condition !== undefined)
}

/** A single name uses `=`, because only then does an index return rows ordered by time. */
function isOneOf(models: readonly string[]) {
  return models.length === 1
    ? sql<boolean>`usage_log.model_name = ${models[0]}`
    : sql<boolean>`usage_log.model_name = any(${models})`
}

/** Clamps to the year 9999, because larger values are not valid dates. */
export function fromSeconds(seconds: number): Date {
  return new Date(Math.min(Math.max(seconds, 0), 253_402_300_799) * 1000)
}

/** Ordered by selectivity; each has its own index. */
const BY_SELECTIVITY = [
  'request_id',
  'uncovered',
  'tokenId',
  'token_name',
  'channel',
  'userId',
  'models',
  'type',
  'group',
] as const

/** Splits filters into the most selective one (with the period) and the others. */
export function splitFilters(filters: LogFilters): [first: LogFilters, rest: LogFilters] {
  const { start_timestamp, end_timestamp, ...others } = filters
  const active = BY_SELECTIVITY.filter(
    (name) => others[name] !== undefined && others[name] !== 0 && others[name] !== false,
  )
  const pick = (names: readonly (keyof typeof others)[]) =>
    Object.fromEntries(names.map((name) => [name, others[name]])) as LogFilters
  return [{ ...pick(active.slice(0, 1)), start_timestamp, end_timestamp }, pick(active.slice(1))]
}

const UNCOVERED = sql<boolean>`usage_log.other ? 'uncovered'`
