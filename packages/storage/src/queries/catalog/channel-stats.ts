import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface AttemptSums {
  channel_id: number
  /** Since `hour`. */
  succeeded: number
  failed: number
  /** The average; null when no response had a time to first token. */
  first_token_ms: number | null
  /** Since `today`. */
  failed_today: number
}

/** Attempts of each channel since two times. Channels without attempts are left out. */
export async function sumAttempts(
  db: Db,
  ids: readonly number[],
  { hour, today }: { hour: Date; today: Date },
): Promise<AttemptSums[]> {
  const inHour = sql`filter (where minute >= ${hour})`
  const { rows } = await sql<AttemptSums>`
    select channel_id, coalesce(sum(succeeded) ${inHour}, 0)::bigint as succeeded,
      coalesce(sum(failed) ${inHour}, 0)::bigint as failed,
      (sum(first_token_ms) ${inHour} / nullif(sum(first_tokens) ${inHour}, 0))::float8 as first_token_ms,
      coalesce(sum(failed) filter (where minute >= ${today}), 0)::bigint as failed_today
    from channel_minute where channel_id = any(${ids}::bigint[]) and minute >= ${hour < today ? hour : today}
    group by channel_id`.execute(db)
  return rows
}

export interface BilledSums {
  channel_id: number
  requests_today: number
  quota_today: number
  /** Since `from`, today included. */
  requests: number
  quota: number
}

/** Billed requests of each channel by UTC days, given as text. Channels without requests are left out. */
export async function sumBilled(
  db: Db,
  ids: readonly number[],
  { from, today }: { from: string; today: string },
): Promise<BilledSums[]> {
  const onDay = sql`filter (where day = ${today}::date)`
  const { rows } = await sql<BilledSums>`
    select channel_id, coalesce(sum(requests) ${onDay}, 0)::bigint as requests_today,
      coalesce(sum(quota) ${onDay}, 0)::bigint as quota_today, sum(requests)::bigint as requests,
      sum(quota)::bigint as quota
    from channel_day
    where channel_id = any(${ids}::bigint[]) and day >= ${from}::date and day <= ${today}::date
    group by channel_id`.execute(db)
  return rows
}
