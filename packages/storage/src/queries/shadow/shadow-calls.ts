import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import { fromSeconds } from '../../log-store/log-store.ts'

export interface NewShadowCall {
  created_at: Date
  request_id: string
  user_id: number
  token_id: number
  model_name: string
  path: string
  is_stream: boolean
  group: string
  channel_id: number | null
  upstream_model: string
  prompt_tokens: number
  reserve: number
  refusal: string | null
  pricing: object | null
}

/** Passes rows as one JSON parameter, because PostgreSQL limits the number of parameters. */
export async function insert(db: Db, rows: readonly NewShadowCall[]): Promise<void> {
  await sql`
    insert into shadow_call (created_at, request_id, user_id, token_id, model_name, path, is_stream, "group", channel_id,
      upstream_model, prompt_tokens, reserve, refusal, pricing)
    select created_at, request_id, user_id, token_id, model_name, path, is_stream, "group", channel_id, upstream_model,
      prompt_tokens, reserve, refusal, nullif(pricing, 'null')
    from jsonb_to_recordset(${jsonText(rows)}::jsonb) as row (created_at timestamptz, request_id text, user_id bigint,
      token_id bigint, model_name text, path text, is_stream boolean, "group" text, channel_id bigint,
      upstream_model text, prompt_tokens bigint, reserve bigint, refusal text, pricing jsonb)`.execute(db)
}

export async function recordDropped(db: Db, calls: number): Promise<void> {
  await db.insertInto('shadow_dropped').values({ calls }).execute()
}

/** Unix seconds, both inclusive. */
export interface ShadowSpan {
  start?: number | undefined
  end?: number | undefined
}

export interface ShadowFilters extends ShadowSpan {
  model_name?: string | undefined
  only?: 'all' | 'refused' | 'matched' | 'differs' | undefined
}

/** Newest first. */
export function page(db: Db, filters: ShadowFilters, { limit, offset }: { limit: number; offset: number }) {
  return applyFilters(db, filters)
    .leftJoin('user', 'user.id', 'shadow_call.user_id')
    .leftJoin('token', 'token.id', 'shadow_call.token_id')
    .leftJoin('channel', 'channel.id', 'shadow_call.channel_id')
    .leftJoin('channel as old_channel', 'old_channel.id', 'shadow_call.old_channel_id')
    .select([
      'shadow_call.id',
      'shadow_call.created_at',
      'user.username',
      'token.name as token_name',
      'shadow_call.model_name',
      'shadow_call.path',
      'shadow_call.is_stream',
      'shadow_call.group',
      'shadow_call.channel_id',
      'channel.name as channel_name',
      'shadow_call.upstream_model',
      'shadow_call.prompt_tokens',
      'shadow_call.reserve',
      'shadow_call.refusal',
      'shadow_call.old_log_at',
      'shadow_call.old_channel_id',
      'old_channel.name as old_channel_name',
      'shadow_call.old_prompt_tokens',
      'shadow_call.old_completion_tokens',
      'shadow_call.old_quota',
      'shadow_call.would_quota',
    ])
    .orderBy('shadow_call.created_at', 'desc')
    .orderBy('shadow_call.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export type ShadowCallRow = Awaited<ReturnType<typeof page>>[number]

export async function count(db: Db, filters: ShadowFilters): Promise<number> {
  const { total } = await applyFilters(db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function applyFilters(db: Db, { start, end, model_name, only }: ShadowFilters) {
  let query = db.selectFrom('shadow_call')
  if (start !== undefined) query = query.where('shadow_call.created_at', '>=', fromSeconds(start))
  if (end !== undefined) query = query.where('shadow_call.created_at', '<', fromSeconds(end + 1))
  if (model_name !== undefined) query = query.where('shadow_call.model_name', '=', model_name)
  if (only === 'refused') query = query.where('shadow_call.refusal', 'is not', null)
  if (only === 'matched' || only === 'differs') query = query.where('shadow_call.matched_at', 'is not', null)
  if (only === 'differs') {
    query = query.where(
      sql<boolean>`(shadow_call.channel_id is distinct from shadow_call.old_channel_id
        or shadow_call.would_quota is distinct from shadow_call.old_quota)`,
    )
  }
  return query
}

/** Removes all rows and returns the number of calls. */
export async function clear(db: Db): Promise<number> {
  await db.deleteFrom('shadow_dropped').execute()
  const { numDeletedRows } = await db.deleteFrom('shadow_call').executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes at most `limit` calls from before a time and returns their number. */
export async function removeSome(db: Db, before: Date, limit: number): Promise<number> {
  await db.deleteFrom('shadow_dropped').where('created_at', '<', before).execute()
  const { numAffectedRows = 0n } = await sql`
    delete from shadow_call where id in (
      select id from shadow_call where created_at < ${before} order by created_at, id limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
