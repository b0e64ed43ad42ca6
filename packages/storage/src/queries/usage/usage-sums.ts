import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'

const DAY_MS = 86_400_000

export interface ModelSum {
  model_name: string
  /** The start of the step, in Unix seconds. */
  created_at: number
  requests: number
  quota: number
  tokens: number
}

export type Step = 'hour' | 'day' | 'week'

interface Span {
  from: Date
  to: Date
}

/** Usage by model and time step, oldest first, of one user or of the whole site. Steps are in UTC. */
export async function byModel(
  db: Db,
  { userId, step, ...span }: Span & { userId?: number | undefined; step: Step },
): Promise<ModelSum[]> {
  const parts = userId === undefined ? siteSums(span, step) : userSums(span, userId)
  // Both have one row for each hour and model already.
  const { rows } =
    step === 'hour'
      ? await sql<ModelSum>`
          select model_name, extract(epoch from at)::bigint as created_at, requests::bigint as requests,
            quota::bigint as quota, tokens::bigint as tokens
          from (${parts}) part order by at, model_name`.execute(db)
      : await sql<ModelSum>`
          select model_name, extract(epoch from date_trunc(${step}, at, 'UTC'))::bigint as created_at,
            sum(requests)::bigint as requests, sum(quota)::bigint as quota, sum(tokens)::bigint as tokens
          from (${parts}) part group by 1, 2 order by 2, 1`.execute(db)
  return rows
}

/**
 * Uses hours, and days for whole days when the steps are at least a day. Rows of groups and shards are summed first, in
 * the order of the primary key: few rows are left for the steps.
 */
function siteSums(span: Span, step: Step): RawBuilder<unknown> {
  const sums = sql`sum(requests) as requests, sum(quota) as quota, sum(tokens) as tokens`
  const hours = ({ from, to }: Span) => sql`
    select hour as at, model_name, ${sums} from site_hour where hour >= ${from} and hour < ${to} group by hour, model_name`
  if (step === 'hour') return hours(span)
  const { before, days, after } = wholeDays(span)
  return sql`${hours(before)} union all
    select day::timestamp at time zone 'UTC', model_name, ${sums} from site_day
    where day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date group by day, model_name
    union all ${hours(after)}`
}

function userSums({ from, to }: Span, userId: number): RawBuilder<unknown> {
  return sql`
    select hour as at, model_name, requests, quota, prompt_tokens + completion_tokens as tokens from usage_rollup
    where user_id = ${userId} and hour >= ${from} and hour < ${to}`
}

export interface UserSpending {
  user_id: number
  username: string | null
  requests: number
  quota: number
  tokens: number
}

/** The users who spent most. Whole days come from daily roll-ups, the rest from hourly ones. */
export async function topUsers(db: Db, { limit, ...span }: Span & { limit: number }): Promise<UserSpending[]> {
  const { before, days, after } = wholeDays(span)
  const hours = ({ from, to }: Span) => sql`
    select user_id, requests, quota, prompt_tokens + completion_tokens from usage_rollup
    where hour >= ${from} and hour < ${to}`
  const { rows } = await sql<UserSpending>`
    with part as (
      select user_id, requests, quota, tokens from spender_day
      where day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all ${hours(before)} union all ${hours(after)}
    ), spent as (
      select user_id, sum(requests)::bigint as requests, sum(quota)::bigint as quota, sum(tokens)::bigint as tokens
      from part group by user_id order by sum(quota) desc, sum(requests) desc, user_id limit ${limit}
    )
    select spent.*, "user".username from spent left join "user" on "user".id = spent.user_id
    order by spent.quota desc, spent.requests desc, spent.user_id`.execute(db)
  return rows
}

/** The API tokens with the highest cost, by user and name, over the whole UTC days of a span. */
export async function topTokens(
  db: Db,
  { from, to, limit }: Span & { limit: number },
): Promise<(UserSpending & { token_name: string })[]> {
  const { rows } = await sql<UserSpending & { token_name: string }>`
    with spent as (
      select user_id, token_name, sum(requests)::bigint as requests, sum(quota)::bigint as quota,
        sum(tokens)::bigint as tokens
      from user_day where day >= ${dayOf(from)}::date and day <= ${dayOf(to)}::date and token_name <> ''
      group by user_id, token_name order by sum(quota) desc, sum(requests) desc, user_id, token_name limit ${limit}
    )
    select spent.*, "user".username from spent left join "user" on "user".id = spent.user_id
    order by spent.quota desc, spent.requests desc, spent.user_id, spent.token_name`.execute(db)
  return rows
}

/** The whole UTC days of a span, and the rest at both ends. */
function wholeDays({ from, to }: Span): { before: Span; days: Span; after: Span } {
  const first = Math.min(Math.ceil(from.getTime() / DAY_MS) * DAY_MS, to.getTime())
  const end = Math.max(Math.floor(to.getTime() / DAY_MS) * DAY_MS, first)
  const days = { from: new Date(first), to: new Date(end) }
  return { before: { from, to: days.from }, days, after: { from: days.to, to } }
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Names of all models that were ever used. */
export async function modelNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('site_day').select('model_name').distinct().execute()
  return rows.map(({ model_name }) => model_name)
}
