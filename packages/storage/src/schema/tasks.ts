import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

/** Something a vendor takes its time for: a drawing, a song, a video. */
export interface TaskTable {
  id: Generated<number>
  /** Whose rules it follows: `drawing`, `music` or `video`. */
  kind: string
  user_id: number
  token_id: Generated<number>
  /** 0 until a channel took it. */
  channel_id: Generated<number>
  /** Which of the channel's keys it was ordered with: others may not be told of it. */
  key_hash: Generated<string>
  /** Of the call that ordered it. */
  request_id: string
  /** What the vendor calls it, and clients with it; blank until it was taken. */
  vendor_id: Generated<string>
  action: string
  /** The name it was routed and priced by. */
  model: Generated<string>
  status: Generated<string>
  /** Percent. */
  progress: Generated<number>
  /** How the vendor took the order, where it tells by a number. */
  code: Generated<number>
  prompt: Generated<string>
  fail_reason: Generated<string>
  /** Where the vendor keeps what was made. */
  result_url: Generated<string>
  /** What was asked for, as far as it is worth knowing later. */
  properties: Json
  /** What the vendor said of it last. */
  data: ColumnType<unknown, string | undefined, string>
  /** What its addresses are made from; see `task-tokens.ts`. */
  secret: string
  /** The price it was ordered at. */
  quota: Generated<number>
  /** What the books took for it: 0 until they did. */
  charged: Generated<number>
  refunded_at: NullableTime
  submitted_at: Time
  started_at: NullableTime
  /** No report changes it any more. */
  finished_at: NullableTime
  updated_at: Time
  /** When its vendor is to be asked next. */
  next_poll_at: NullableTime
  /** It has failed when it is not finished by then. */
  deadline_at: ColumnType<Date, Date | string, Date | string>
  polls: Generated<number>
}
