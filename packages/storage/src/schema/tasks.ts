import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

/** A long-running job of a provider: image, music or video. */
export interface TaskTable {
  id: Generated<number>
  /** `drawing`, `music` or `video`. */
  kind: string
  user_id: number
  token_id: Generated<number>
  /** 0 until a channel accepted the task. */
  channel_id: Generated<number>
  /** The channel key that submitted the task. Other keys may not be able to query it. */
  key_hash: Generated<string>
  /** The ID of the request that submitted it. */
  request_id: string
  /** The provider's ID of the task, which clients also use; blank until it was accepted. */
  vendor_id: Generated<string>
  action: string
  /** The model name for routing and pricing. */
  model: Generated<string>
  status: Generated<string>
  /** Percent. */
  progress: Generated<number>
  /** The provider's result code of the submission, if there is one. */
  code: Generated<number>
  prompt: Generated<string>
  fail_reason: Generated<string>
  /** Where the provider stores the result. */
  result_url: Generated<string>
  /** Request parameters that are needed later. */
  properties: Json
  /** The last response of the provider. */
  data: ColumnType<unknown, string | undefined, string>
  /** The secret of its URLs; see `task-tokens.ts`. */
  secret: string
  /** The price at submission. */
  quota: Generated<number>
  /** The charged amount; 0 until settlement. */
  charged: Generated<number>
  refunded_at: NullableTime
  submitted_at: Time
  started_at: NullableTime
  /** Later reports do not change the task. */
  finished_at: NullableTime
  updated_at: Time
  /** The time of the next poll. */
  next_poll_at: NullableTime
  /** The task fails when it has not finished by then. */
  deadline_at: ColumnType<Date, Date | string, Date | string>
  polls: Generated<number>
}
