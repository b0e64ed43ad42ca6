import type { OptionKey } from '@tidegate/contract'
import type { ChannelTable, RedemptionTable, TokenTable, TopUpTable, UserTable } from '@tidegate/storage'

/** Rows of another product, converted to this one. IDs are those of the source until they are loaded. */
export interface ImportData {
  readonly users: readonly ImportUser[]
  readonly tokens: readonly ImportToken[]
  readonly channels: readonly ImportChannel[]
  readonly options: readonly ImportOption[]
  readonly redemptions: readonly ImportRedemption[]
  readonly topUps: readonly ImportTopUp[]
}

type Columns<Table, Key extends keyof Table> = { [Column in Key]: InsertValue<Table[Column]> }
/** The insert type of a Kysely column, or the plain type. */
type InsertValue<Column> = Column extends { readonly __insert__: infer Value } ? Exclude<Value, undefined> : Column

export interface ImportUser {
  readonly sourceId: string
  readonly balance: number
  readonly inviterSourceId: string
  readonly identities: readonly ImportIdentity[]
  /** Blank when there is none. */
  readonly accessToken: string
  readonly columns: Columns<
    UserTable,
    | 'username'
    | 'password_hash'
    | 'display_name'
    | 'role'
    | 'status'
    | 'group'
    | 'email'
    | 'used_quota'
    | 'request_count'
    | 'aff_code'
    | 'aff_count'
    | 'aff_quota'
    | 'aff_history_quota'
    | 'setting'
    | 'last_check_in_at'
  >
}

export interface ImportIdentity {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  readonly label: string
}

export interface ImportToken {
  readonly sourceId: string
  readonly ownerSourceId: string
  /** Without the prefix `sk-`. */
  readonly key: string
  readonly balance: number
  readonly columns: Columns<
    TokenTable,
    | 'status'
    | 'name'
    | 'accessed_at'
    | 'expires_at'
    | 'used_quota'
    | 'unlimited_quota'
    | 'model_limits_enabled'
    | 'model_limits'
    | 'allow_ips'
    | 'group'
    | 'rate_limit_enabled'
    | 'rate_limit_period'
    | 'rate_limit_count'
    | 'rate_limit_success'
  > & { readonly created_at: Date | undefined }
}

export interface ImportChannel {
  readonly sourceId: string
  readonly keys: readonly string[]
  /** Statuses of disabled keys, by index. */
  readonly keyStatuses: ReadonlyMap<number, number>
  readonly columns: Columns<
    ChannelTable,
    | 'type'
    | 'name'
    | 'status'
    | 'base_url'
    | 'models'
    | 'group'
    | 'model_mapping'
    | 'status_code_mapping'
    | 'priority'
    | 'weight'
    | 'auto_ban'
    | 'test_model'
    | 'tag'
    | 'model_prefix'
    | 'setting'
    | 'param_override'
    | 'header_override'
    | 'system_prompt'
    | 'openai_organization'
    | 'other'
    | 'used_quota'
    | 'tested_at'
    | 'response_time_ms'
  > & { readonly created_at: Date | undefined }
}

export interface ImportOption {
  readonly key: OptionKey
  /** Parsed and formatted again, so that equal values have equal text. */
  readonly text: string
}

export interface ImportRedemption {
  readonly sourceId: string
  readonly makerSourceId: string
  /** Blank when the code was not used. */
  readonly userSourceId: string
  readonly columns: { readonly key: string } & Columns<
    RedemptionTable,
    'status' | 'name' | 'quota' | 'is_gift' | 'max_uses' | 'used_count' | 'valid_from' | 'valid_until' | 'redeemed_at'
  > & { readonly created_at: Date | undefined }
}

export interface ImportTopUp {
  readonly sourceId: string
  readonly userSourceId: string
  readonly columns: Columns<
    TopUpTable,
    'trade_no' | 'units' | 'quota' | 'money' | 'payment_method' | 'provider' | 'completed_at'
  > & { readonly created_at: Date | undefined }
}
