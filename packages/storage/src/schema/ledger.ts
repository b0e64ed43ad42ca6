import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface TokenTable {
  id: Generated<number>
  user_id: number
  hash: string
  sealed_key: string
  hint: string
  status: Generated<number>
  name: string
  created_at: Time
  accessed_at: NullableTime
  expires_at: NullableTime
  remain_quota: Generated<number>
  used_quota: Generated<number>
  /** What requests took from its own quota; less than `used_quota` if the token was unlimited for some time. */
  drawn_quota: Generated<number>
  unlimited_quota: Generated<boolean>
  model_limits_enabled: Generated<boolean>
  model_limits: Generated<string>
  allow_ips: Generated<string>
  group: Generated<string>
  rate_limit_enabled: Generated<boolean>
  rate_limit_period: Generated<number>
  rate_limit_count: Generated<number>
  rate_limit_success: Generated<number>
  deleted_at: NullableTime
  /** 0 means no limit, here and below. */
  tokens_per_minute: Generated<number>
  max_concurrency: Generated<number>
  /** Whether responses of the Responses API may be stored. */
  store_responses: Generated<boolean>
  /** Blank: the quota is for the lifetime of the token. Otherwise it is refilled to `budget_quota` each period. */
  budget_period: Generated<'' | 'day' | 'week' | 'month'>
  budget_quota: Generated<number>
  /** IANA time zone in which a period starts. */
  budget_zone: Generated<string>
  budget_resets_at: NullableTime
}

export interface LedgerEntryTable {
  id: Generated<number>
  user_id: number
  token_id: Generated<number>
  kind: string
  amount: number
  reference: Generated<string>
  actor_id: number | null
  details: Json
  created_at: Time
  /** Null until the worker seals the row. */
  seal: number | null
}

export interface GatewayProcessTable {
  holder: string
  started_at: Time
  heartbeat_at: Time
  /** How long its leases outlive its last heartbeat. */
  lease_seconds: Generated<number>
}

export interface CreditLeaseTable {
  holder: string
  user_id: number
  token_id: Generated<number>
  amount: number
  updated_at: Time
}

export interface SettlementBatchTable {
  holder: string
  batch: number
  receipts: number
  applied_at: Time
  /** Null in batches of versions that did not store it. */
  quota: number | null
  /** Null until the worker seals the row. */
  seal: number | null
}

/** A link of the hash chain over ledger entries and settlement batches. */
export interface LedgerSealTable {
  id: number
  source: 'ledger_entry' | 'settlement_batch'
  row_count: number
  /** Sums may exceed a safe integer, so they are read as text. */
  amount: string
  requests: string
  /** The sums include usage of batches without a stored quota, taken from the roll-ups. */
  measured: boolean
  content_hash: string
  previous_hash: string
  hash: string
  sealed_at: Time
}

/** The signed end of the chain on one day. */
export interface LedgerDigestTable {
  day: ColumnType<string, string, never>
  seal: number
  hash: string
  signature: string
}

/** The part of a counter that is not in the roll-ups. */
export interface CounterOffsetTable {
  kind: 'user' | 'tokens_of_user' | 'channel' | 'earnings'
  id: number
  quota: number
}

/** Packed log rows of a settlement batch, until another log store has them. */
export interface LogOutboxTable {
  id: Generated<number>
  series: string
  batch: number
  rows: number
  sums: Json
  first_at: Date | null
  last_at: Date | null
  checkpointed: Generated<string[]>
  parcel: Generated<number | null>
  bytes: Generated<number>
  payload: Buffer | null
  created_at: Time
}

/** Packed rows that are sent together. Its token makes them count once. */
export interface LogParcelTable {
  id: Generated<number>
  token: Generated<string>
  rows: number
  first_at: Date
  last_at: Date
  attempts: Generated<number>
  generation: Generated<number>
  fixed_at: Time
  shipped_at: Date | null
}

/** Days that got rows in the table while the outbox was full. They are moved when it has space. */
export interface LogMoveTable {
  day: ColumnType<string, string, never>
}

/** Where new rows go on a site with another log store. */
export interface LogTargetTable {
  only_row: Generated<boolean>
  store: 'outbox' | 'table'
}

export interface UsageLogTable {
  id: Generated<number>
  created_at: Time
  type: number
  user_id: number
  username: Generated<string>
  token_id: Generated<number>
  token_name: Generated<string>
  model_name: Generated<string>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
  use_time_ms: Generated<number>
  is_stream: Generated<boolean>
  channel_id: Generated<number>
  group: Generated<string>
  client_ip: Generated<string>
  request_id: Generated<string>
  content: Generated<string>
  other: Json
}
