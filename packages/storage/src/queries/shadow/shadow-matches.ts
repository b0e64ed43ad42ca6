import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'

/** The fields that both gateways record in the same way. */
export interface ShadowKey {
  user_id: number
  token_id: number
  model_name: string
}

export interface UnmatchedCall extends ShadowKey {
  id: number
  created_at: Date
  pricing: Record<string, unknown> | null
}

/** Excludes other matching processes until the transaction ends. */
export async function lockMatching(transaction: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('shadow matches'))`.execute(transaction)
}

/** Calls without a match in the old log, after a position: grouped by key, oldest first. */
export function listUnmatched(db: Db, after: UnmatchedCall | undefined, limit: number): Promise<UnmatchedCall[]> {
  let query = db
    .selectFrom('shadow_call')
    .select(['id', 'user_id', 'token_id', 'model_name', 'created_at', 'pricing'])
    .where('matched_at', 'is', null)
  if (after) {
    query = query.where(
      sql<boolean>`(user_id, token_id, model_name, created_at, id) >
        (${after.user_id}, ${after.token_id}, ${after.model_name}, ${after.created_at}, ${after.id})`,
    )
  }
  return query
    .orderBy('user_id')
    .orderBy('token_id')
    .orderBy('model_name')
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countUnmatched(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('shadow_call')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('matched_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

/** A time span in which to look for calls of the old gateway. */
export interface SearchSpan extends ShadowKey {
  from: Date
  to: Date
}

export interface OldCall extends ShadowKey {
  id: number
  /** The start of the request; the old log is written at the end. */
  began_at: Date
  channel_id: number
  prompt_tokens: number
  completion_tokens: number
  quota: number
}

/** Longer requests are not matched, because each minute adds to the part of the log that is read. */
const MAX_DURATION_MS = 15 * 60_000
const CONSUMPTION = 2

/** Imported log rows of requests that started within the spans and are not matched yet. */
export async function findOldCalls(db: Db, spans: readonly SearchSpan[]): Promise<OldCall[]> {
  if (spans.length === 0) return []
  const { rows } = await sql<OldCall>`
    select old.* from jsonb_to_recordset(${jsonText(spans)}::jsonb)
        as span (user_id bigint, token_id bigint, model_name text, "from" timestamptz, "to" timestamptz)
      cross join lateral (
        select id, user_id, token_id, model_name, created_at - use_time_ms * interval '1 millisecond' as began_at,
          channel_id, prompt_tokens, completion_tokens, quota
        from usage_log
        where usage_log.user_id = span.user_id and usage_log.token_id = span.token_id
          and usage_log.model_name = span.model_name and type = ${CONSUMPTION} and other ? 'imported'
          and created_at >= span."from" and created_at <= span."to" + ${MAX_DURATION_MS} * interval '1 millisecond'
      ) old
    where old.began_at between span."from" and span."to"
      and not exists (select from shadow_call where old_log_id = old.id)`.execute(db)
  return rows
}

export interface ShadowMatch {
  id: number
  old_log_id: number
  old_log_at: Date
  old_channel_id: number
  old_prompt_tokens: number
  old_completion_tokens: number
  old_quota: number
  would_quota: number | null
}

/** Stores matches of calls that have none, and returns how many were stored. */
export async function save(db: Db, matches: readonly ShadowMatch[], now: Date): Promise<number> {
  if (matches.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    update shadow_call set old_log_id = match.old_log_id, old_log_at = match.old_log_at,
      old_channel_id = match.old_channel_id, old_prompt_tokens = match.old_prompt_tokens,
      old_completion_tokens = match.old_completion_tokens, old_quota = match.old_quota,
      would_quota = match.would_quota, matched_at = ${now}
    from jsonb_to_recordset(${jsonText(matches)}::jsonb) as match (id bigint, old_log_id bigint, old_log_at timestamptz,
      old_channel_id bigint, old_prompt_tokens bigint, old_completion_tokens bigint, old_quota bigint,
      would_quota bigint)
    where shadow_call.id = match.id and shadow_call.matched_at is null`.execute(db)
  return Number(numAffectedRows)
}
