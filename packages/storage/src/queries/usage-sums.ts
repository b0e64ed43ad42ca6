import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../connect.ts'
import { fromSeconds, sumQuota, type LogFilters } from './usage-logs.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * What the calls within the filters cost. Whole hours come from the sums that were written with the bookings, so that
 * millions of rows need not be read; the rest of an hour at either end comes from the rows. A question that no sum
 * answers is put to the rows.
 */
export async function quotaWithin(db: Db, filters: LogFilters, now: Date): Promise<number> {
  const sums = sumsFor(filters)
  const start = filters.start_timestamp ? fromSeconds(filters.start_timestamp) : undefined
  const end = filters.end_timestamp ? fromSeconds(filters.end_timestamp + 1) : undefined
  const from = start && new Date(Math.ceil(start.getTime() / HOUR_MS) * HOUR_MS)
  // Nothing is booked in the future: an hour that is not over yet is taken whole.
  const to = end && end < now ? new Date(Math.floor(end.getTime() / HOUR_MS) * HOUR_MS) : undefined
  if (!sums || (from && to && from >= to)) return sumQuota(db, filters)
  const edges: LogFilters[] = []
  if (from && start < from) edges.push({ ...filters, end_timestamp: seconds(from) - 1 })
  if (to && end && to < end) edges.push({ ...filters, start_timestamp: seconds(to) })
  const parts = await Promise.all([sumHours(db, sums, { from, to }), ...edges.map((edge) => sumQuota(db, edge))])
  return parts.reduce((sum, part) => sum + part, 0)
}

interface Sums {
  readonly table: 'usage_rollup' | 'channel_rollup' | 'site_rollup'
  readonly conditions: readonly RawBuilder<unknown>[]
}

/** The sums that know the answer, if any do. */
function sumsFor({ userId, channel, token_name, models, group, request_id }: LogFilters): Sums | undefined {
  if (request_id !== undefined) return undefined
  const shared = [
    ...(models ? [sql`model_name = any(${models})`] : []),
    ...(group === undefined ? [] : [sql`"group" = ${group}`]),
  ]
  if (userId !== undefined && !channel) {
    const token = token_name === undefined ? [] : [sql`token_name = ${token_name}`]
    return { table: 'usage_rollup', conditions: [sql`user_id = ${userId}`, ...token, ...shared] }
  }
  if (userId !== undefined || token_name !== undefined) return undefined
  if (channel) return { table: 'channel_rollup', conditions: [sql`channel_id = ${channel}`, ...shared] }
  return { table: 'site_rollup', conditions: shared }
}

async function sumHours(db: Db, { table, conditions }: Sums, { from, to }: HourSpan): Promise<number> {
  const all = [...conditions, ...hoursWithin({ from, to })]
  const { rows } = await sql<{ quota: number }>`
    select coalesce(sum(quota), 0)::bigint as quota from ${sql.table(table)}
    where ${all.length === 0 ? sql`true` : sql.join(all, sql` and `)}`.execute(db)
  return rows[0]!.quota
}

interface HourSpan {
  from?: Date | undefined
  to?: Date | undefined
}

function hoursWithin({ from, to }: HourSpan): RawBuilder<unknown>[] {
  return [...(from ? [sql`hour >= ${from}`] : []), ...(to ? [sql`hour < ${to}`] : [])]
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

export interface ModelSum {
  model_name: string
  /** Unix seconds of when the step began. */
  created_at: number
  requests: number
  quota: number
  tokens: number
}

export type Step = 'hour' | 'day' | 'week'

/** Use by model and step of time, oldest first; of one user or of the whole site. Steps are those of UTC. */
export async function byModel(
  db: Db,
  { userId, from, to, step }: { userId?: number | undefined; from: Date; to: Date; step: Step },
): Promise<ModelSum[]> {
  const source = userId === undefined ? sql`site_rollup where` : sql`usage_rollup where user_id = ${userId} and`
  const { rows } = await sql<ModelSum>`
    select model_name, extract(epoch from date_trunc(${step}, hour, 'UTC'))::bigint as created_at,
      sum(requests)::bigint as requests, sum(quota)::bigint as quota,
      sum(prompt_tokens + completion_tokens)::bigint as tokens
    from ${source} hour >= ${from} and hour < ${to}
    group by 1, 2 order by 2, 1`.execute(db)
  return rows
}

export interface UserSpending {
  user_id: number
  username: string | null
  requests: number
  quota: number
  tokens: number
}

/** Who spent most. Whole days come from sums by day, the hours at either end from those by hour. */
export async function topUsers(
  db: Db,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<UserSpending[]> {
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const endDay = new Date(Math.max(Math.floor(to.getTime() / DAY_MS) * DAY_MS, firstDay.getTime()))
  const { rows } = await sql<UserSpending>`
    with part as (
      select user_id, requests, quota, tokens from user_day
      where day >= ${dayOf(firstDay)}::date and day < ${dayOf(endDay)}::date
      union all
      select user_id, requests, quota, prompt_tokens + completion_tokens from usage_rollup
      where (hour >= ${from} and hour < least(${firstDay}::timestamptz, ${to}::timestamptz))
         or (hour >= ${endDay} and hour < ${to})
    ), spent as (
      select user_id, sum(requests)::bigint as requests, sum(quota)::bigint as quota, sum(tokens)::bigint as tokens
      from part group by user_id order by sum(quota) desc, sum(requests) desc, user_id limit ${limit}
    )
    select spent.*, "user".username from spent left join "user" on "user".id = spent.user_id
    order by spent.quota desc, spent.requests desc, spent.user_id`.execute(db)
  return rows
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Names of models that were ever used. Jumps from name to name in the index: as quick as there are names. */
export async function modelNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive name as (
      (select model_name from site_rollup order by model_name limit 1)
      union all
      select (select s.model_name from site_rollup s where s.model_name > name.model_name order by s.model_name limit 1)
      from name where name.model_name is not null
    )
    select model_name as name from name where model_name is not null`.execute(db)
  return rows.map(({ name }) => name)
}
