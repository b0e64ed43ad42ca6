import { recomputeQuota } from '@tidegate/pricing'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@tidegate/storage'
import { streamRows } from '../seals/sealed-rows.ts'
import { ProblemList, type Findings } from './problems.ts'

/** Billed log rows: no channel tests, and no imported log. */
export const BILLED = sql`type = 2 and not other ? 'test' and not other ? 'imported'`

/** The hour, or the first one of its day where sums are kept by day. */
const PERIOD = (hour: RawBuilder<unknown>) =>
  sql`case when ${hour} < thinned.hours_from then date_trunc('day', ${hour}, 'UTC') else ${hour} end`

interface LogDifference {
  user_id: number
  model_name: string
  hour: string
  rows: number
  quota: number
  logged_requests: number
  logged_quota: number
}

/**
 * Compares log rows with roll-ups by user, model and hour, for all hours whose log is kept. If every request has a row,
 * tokens must agree as well.
 */
export async function checkLogs(transaction: Db): Promise<Findings> {
  const problems = new ProblemList('usage log')
  const { complete_from: floor } = await transaction
    .selectFrom('usage_log_floor')
    .select('complete_from')
    .executeTakeFirstOrThrow()
  const query = sql<LogDifference>`
    with thinned as materialized (
      select hours_from from usage_log_floor
    ), logged as (
      select user_id, model_name, ${PERIOD(sql`date_trunc('hour', created_at, 'UTC')`)} as hour, count(*) as rows, sum(quota) as quota,
        sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens
      from usage_log, thinned where ${BILLED} and created_at >= ${sql.lit(floor.toISOString())}
      group by 1, 2, 3
    ), rolled as (
      select user_id, model_name, ${PERIOD(sql`hour`)} as hour, sum(requests) as requests, sum(quota) as quota,
        sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
        sum(logged_requests)::bigint as logged_requests, sum(logged_quota)::bigint as logged_quota
      from usage_rollup, thinned where hour >= ${sql.lit(floor.toISOString())}
      group by 1, 2, 3
    )
    select user_id, model_name, to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"') as hour,
      coalesce(l.rows, 0) as rows, coalesce(l.quota, 0)::bigint as quota,
      coalesce(r.logged_requests, 0) as logged_requests, coalesce(r.logged_quota, 0) as logged_quota
    from logged l full join rolled r using (user_id, model_name, hour)
    where coalesce(l.rows, 0) <> coalesce(r.logged_requests, 0)
      or coalesce(l.quota, 0) <> coalesce(r.logged_quota, 0)
      or (r.logged_requests = r.requests and (r.logged_quota <> r.quota
        or (l.rows > 0 and (l.prompt_tokens <> r.prompt_tokens or l.completion_tokens <> r.completion_tokens))))
    order by 1, 3, 2`
  for await (const rows of streamRows(transaction, query)) {
    for (const row of rows) {
      problems.add(
        `user ${row.user_id}, model ${row.model_name}, hour ${row.hour}: ${row.rows} rows of ${row.quota}, ` +
          `the roll-up says ${row.logged_requests} of ${row.logged_quota}${sameSums(row) ? ', other sums differ' : ''}`,
      )
    }
  }
  const isWhole = floor.getTime() <= 0
  return {
    problems: problems.lines,
    notes: isWhole ? [] : [`Log rows are compared with roll-ups from ${floor.toISOString()} on.`],
  }
}

function sameSums({ rows, quota, logged_requests, logged_quota }: LogDifference): boolean {
  return rows === logged_requests && quota === logged_quota
}

interface BilledRow {
  id: number
  request_id: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  other: Record<string, unknown>
}

/** Recomputes the price of every log row from the lines or factors it stores. */
export async function checkBills(transaction: Db): Promise<Findings> {
  const problems = new ProblemList('bill')
  const query = sql<BilledRow>`
    select id, request_id, quota, prompt_tokens, completion_tokens, other - 'admin_info' - 'timing' as other
    from usage_log where ${BILLED}`
  for await (const rows of streamRows(transaction, query)) {
    for (const row of rows) {
      const difference = compareBill(row)
      if (difference) problems.add(`log row ${row.id} (request ${row.request_id || 'unknown'}): ${difference}`)
    }
  }
  return { problems: problems.lines, notes: [] }
}

export function compareBill(row: BilledRow): string | undefined {
  const uncovered = typeof row.other.uncovered === 'number' ? row.other.uncovered : 0
  try {
    const computed = recomputeQuota({
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      other: row.other,
    })
    if (computed === row.quota + uncovered) return undefined
    return `charged ${row.quota}${uncovered ? ` and ${uncovered} uncovered` : ''}, its price gives ${computed}`
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `cannot be computed again: ${error.message}`
  }
}
