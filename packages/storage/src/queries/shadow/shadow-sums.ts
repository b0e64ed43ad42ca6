import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { ShadowSpan } from './shadow-calls.ts'
import { fromSeconds } from '../../log-store/log-store.ts'

export interface ShadowSum {
  calls: number
  matched: number
  old_quota: number
  would_quota: number
}

export interface ShadowModelSum extends ShadowSum {
  model_name: string
}

/** Sums only calls with both charges, because a missing charge would look like a difference. */
const SUMS = sql`
  count(*) as calls,
  count(matched_at) as matched,
  coalesce(sum(old_quota) filter (where would_quota is not null), 0)::bigint as old_quota,
  coalesce(sum(would_quota) filter (where old_quota is not null), 0)::bigint as would_quota`

export async function total(db: Db, span: ShadowSpan): Promise<ShadowSum> {
  const { rows } = await sql<ShadowSum>`select ${SUMS} from shadow_call where ${within(span)}`.execute(db)
  return rows[0]!
}

export async function byModel(db: Db, span: ShadowSpan, limit: number): Promise<ShadowModelSum[]> {
  const { rows } = await sql<ShadowModelSum>`
    select model_name, ${SUMS} from shadow_call where ${within(span)}
    group by model_name order by calls desc, model_name limit ${limit}`.execute(db)
  return rows
}

export async function byErrorCode(db: Db, span: ShadowSpan): Promise<{ code: string; calls: number }[]> {
  const { rows } = await sql<{ code: string; calls: number }>`
    select refusal as code, count(*) as calls from shadow_call where ${within(span)} and refusal is not null
    group by refusal order by calls desc, refusal`.execute(db)
  return rows
}

export interface ShadowRouteSum {
  old_channel_id: number
  old_channel_name: string
  channel_id: number | null
  channel_name: string
  calls: number
}

export async function byRoute(db: Db, span: ShadowSpan, limit: number): Promise<ShadowRouteSum[]> {
  const { rows } = await sql<ShadowRouteSum>`
    select route.old_channel_id, coalesce(old_channel.name, '') as old_channel_name, route.channel_id,
      coalesce(channel.name, '') as channel_name, route.calls
    from (
      select old_channel_id, channel_id, count(*) as calls from shadow_call
      where ${within(span)} and matched_at is not null group by old_channel_id, channel_id
      order by calls desc, old_channel_id, channel_id limit ${limit}
    ) route
    left join channel on channel.id = route.channel_id
    left join channel old_channel on old_channel.id = route.old_channel_id
    order by route.calls desc, route.old_channel_id, route.channel_id`.execute(db)
  return rows
}

export async function countDropped(db: Db, span: ShadowSpan): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(calls), 0)::bigint as calls from shadow_dropped where ${within(span)}`.execute(db)
  return rows[0]!.calls
}

function within({ start, end }: ShadowSpan): RawBuilder<boolean> {
  const from = start === undefined ? sql`true` : sql`created_at >= ${fromSeconds(start)}`
  const to = end === undefined ? sql`true` : sql`created_at < ${fromSeconds(end + 1)}`
  return sql`(${from} and ${to})`
}
