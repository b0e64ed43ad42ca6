import type { Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

/** A copy of a request that another gateway served. */
export interface ShadowCallTable {
  id: Generated<number>
  created_at: Time
  request_id: string
  user_id: number
  token_id: number
  model_name: string
  path: string
  is_stream: boolean
  group: string
  /** Null when the request would have been rejected, as is `would_quota`. */
  channel_id: number | null
  upstream_model: string
  prompt_tokens: number
  reserve: number
  refusal: string | null
  pricing: Json | null
  /** The matching row of the old log; each row matches one call at most. */
  old_log_id: Generated<number | null>
  old_log_at: NullableTime
  old_channel_id: Generated<number | null>
  old_prompt_tokens: Generated<number | null>
  old_completion_tokens: Generated<number | null>
  old_quota: Generated<number | null>
  would_quota: Generated<number | null>
  matched_at: NullableTime
}

/** Copies that were dropped because too many arrived at once. */
export interface ShadowDroppedTable {
  id: Generated<number>
  created_at: Time
  calls: number
}
