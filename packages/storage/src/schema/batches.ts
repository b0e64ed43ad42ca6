import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { NullableTime, Time } from './column-types.ts'

/** A file that a user uploaded, or the result of a batch. */
export interface FileTable {
  id: string
  user_id: number
  token_id: number
  purpose: string
  filename: string
  mime_type: string
  bytes: Generated<number>
  /** False while it is written. An incomplete file is not found. */
  is_complete: Generated<boolean>
  /** False for the requests of a batch that were not uploaded as a file. */
  is_listed: Generated<boolean>
  created_at: Time
  expires_at: NullableTime
}

/** A part of the content of a file, compressed and encrypted. */
export interface FilePartTable {
  file_id: string
  number: number
  sealed: string
}

export type BatchState =
  | 'validating'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelling'
  | 'cancelled'

export type BatchLineState = 'pending' | 'running' | 'succeeded' | 'errored' | 'canceled' | 'expired'

export interface BatchError {
  code: string
  message: string
  line: number | null
  param: string | null
}

type NullableJson<Value> = ColumnType<Value | null, string | null | undefined, string | null>

export interface BatchTable {
  id: string
  user_id: number
  token_id: number
  token_name: string
  protocol: 'openai' | 'anthropic'
  /** The path of the requests. */
  endpoint: string
  /** The model of the first line. */
  model: Generated<string>
  state: BatchState
  input_file_id: string | null
  output_file_id: string | null
  error_file_id: string | null
  metadata: NullableJson<Record<string, string>>
  /** How long the results are kept, in seconds. */
  output_seconds: number | null
  client_ip: string
  total: Generated<number>
  succeeded: Generated<number>
  errored: Generated<number>
  canceled: Generated<number>
  expired: Generated<number>
  charged: Generated<number>
  /** Of the finished lines. */
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  errors: NullableJson<BatchError[]>
  /** Unix seconds at which states were reached. */
  state_times: JSONColumnType<Record<string, number>, string | undefined>
  /** The account of the provider that runs the batch; null while we run it. */
  channel_id: number | null
  key_id: string | null
  upstream_model: string | null
  upstream_id: string | null
  upstream_file_id: string | null
  next_poll_at: NullableTime
  /** Who pays for a batch that a provider runs, and at which prices. */
  terms: NullableJson<Record<string, unknown>>
  /** Set before the batch is created at the provider, which may have happened even if there is no id. */
  submitted_at: NullableTime
  /** Requests to the provider that failed since the last success. */
  failed_polls: Generated<number>
  /** The process that reads the requests or writes the results, until the lease ends. */
  holder: string | null
  lease_until: NullableTime
  created_at: Time
  /** Unfinished requests expire then. */
  deadline: ColumnType<Date, Date | string, Date | string>
  ended_at: NullableTime
}

export interface BatchLineTable {
  batch_id: string
  number: number
  custom_id: string
  state: Generated<BatchLineState>
  /** The request until the line is finished, then its result. */
  sealed: string | null
  attempts: Generated<number>
  retry_at: NullableTime
  holder: string | null
  lease_until: NullableTime
}

/** What a line cost. The row is inserted in the transaction that charges it, so that it is charged once. */
export interface BatchChargeTable {
  batch_id: string
  number: number
  quota: number
  charged_at: Time
}
