import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import type { Site } from './site.ts'

/** A row of the usage log. Defaults are those of a plain request of today. */
export interface LoggedRow {
  type?: keyof typeof api.LOG_TYPE
  username?: string
  model?: string
  token?: string
  channel?: number
  group?: string
  quota?: number
  input?: number
  output?: number
  milliseconds?: number
  isStream?: boolean
  content?: string
  requestId?: string
  /** Before now. */
  secondsAgo?: number
  other?: Readonly<Record<string, unknown>>
}

/** Writes a row like a settled request, a failed attempt or a ledger entry. */
export async function addLogRow({ db }: Pick<Site, 'db'>, row: LoggedRow): Promise<void> {
  const { type = 'consumption', username = 'operator', model = 'gpt-4o', token = 'laptop', other = {} } = row
  const isCall = type === 'consumption' || type === 'error'
  await sql`
    insert into usage_log (created_at, type, user_id, username, token_name, model_name, channel_id, "group", quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, content, request_id, other)
    select now() - make_interval(secs => ${row.secondsAgo ?? 0}), ${api.LOG_TYPE[type]}, id, username,
      ${isCall ? token : ''}, ${isCall ? model : ''}, ${row.channel ?? 0}, ${isCall ? (row.group ?? 'default') : ''},
      ${row.quota ?? 0}, ${row.input ?? 0}, ${row.output ?? 0}, ${row.milliseconds ?? 0}, ${row.isStream ?? false},
      ${row.content ?? ''}, ${row.requestId ?? ''}, ${JSON.stringify(other)}::jsonb
    from "user" where username = ${username}
  `.execute(db)
}

/** 800 + 200 cached at half + 500 at four times, at 1.25: 3625 in all. */
export const CACHED_REQUEST: LoggedRow = {
  quota: 3625,
  input: 1000,
  output: 500,
  milliseconds: 2400,
  isStream: true,
  other: {
    model_price: -1,
    model_ratio: 1.25,
    completion_ratio: 4,
    group_ratio: 1,
    cache_tokens: 200,
    cache_ratio: 0.5,
    quota_per_unit: 500_000,
    price_name: 'gpt-4o',
    price_basis: 'set',
    frt: 340,
  },
}
