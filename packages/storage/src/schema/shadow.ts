import type { Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

/** A copy of a call that another gateway answered. */
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
  /** Null, as what it would have cost, when it would have been refused. */
  channel_id: number | null
  upstream_model: string
  prompt_tokens: number
  reserve: number
  refusal: string | null
  pricing: Json | null
  /** The row of the old log that tells of the same call, once it was found: no other has it. */
  old_log_id: Generated<number | null>
  old_log_at: NullableTime
  old_channel_id: Generated<number | null>
  old_prompt_tokens: Generated<number | null>
  old_completion_tokens: Generated<number | null>
  old_quota: Generated<number | null>
  would_quota: Generated<number | null>
  matched_at: NullableTime
}

/** Copies that were not kept because too many came at once. */
export interface ShadowDroppedTable {
  id: Generated<number>
  created_at: Time
  calls: number
}
