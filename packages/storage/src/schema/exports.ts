import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

/** An address that receives requests of the log. */
export interface ExportDestinationTable {
  id: Generated<number>
  /** Null for a destination of the site, which receives the requests of all users. */
  user_id: number | null
  kind: 'otlp' | 'langfuse' | 's3' | 'webhook'
  name: string
  enabled: Generated<boolean>
  url: string
  /** What is sent and how, without secrets. */
  options: Json
  /** Credentials as JSON, sealed; blank without. */
  sealed: Generated<string>
  /** Log rows up to this ID have deliveries. */
  cursor_id: number
  /** Failed attempts since the last success. */
  failures: Generated<number>
  /** Nothing is sent before this time, because the last attempt failed. */
  retry_at: NullableTime
  last_success_at: NullableTime
  created_at: Time
}

/** A batch of log rows for one destination. The rows are read from the log for each attempt. */
export interface ExportDeliveryTable {
  id: Generated<number>
  destination_id: number
  state: Generated<'pending' | 'sending' | 'delivered' | 'failed'>
  /** The rows have IDs after this one, up to `last_id`. */
  after_id: number
  last_id: number
  /** Creation times of the oldest and the newest row, so that other days are not read. */
  first_time: ColumnType<Date, Date, Date>
  last_time: ColumnType<Date, Date, Date>
  records: number
  attempts: Generated<number>
  /** Requests of this delivery that the receiver has accepted, such as `traces`. They are not sent again. */
  parts: Generated<string[]>
  /** When a pending delivery is due, or when the lease of a sender ends. */
  next_attempt_at: NullableTime
  last_attempt_at: NullableTime
  finished_at: NullableTime
  error: Generated<string>
  response_status: number | null
  response_body: Generated<string>
  /** Records that the receiver did not accept, although it accepted the others. */
  rejected: Generated<number>
  bytes: Generated<number>
  created_at: Time
}
