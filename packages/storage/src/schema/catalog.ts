import type { ColumnType, Generated } from 'kysely'
import type { Json, NullableTime, Time } from './column-types.ts'

export interface OptionTable {
  key: string
  value: string
  sealed: Generated<boolean>
  updated_at: Time
  updated_by: number | null
}

export interface CatalogVersionTable {
  id: Generated<number>
  version: number
  updated_at: Time
}

export interface ChannelTable {
  id: Generated<number>
  type: number
  name: string
  status: Generated<number>
  sealed_key: string
  base_url: Generated<string>
  models: Generated<string>
  group: Generated<string>
  model_mapping: Generated<string>
  status_code_mapping: Generated<string>
  priority: Generated<number>
  weight: Generated<number>
  auto_ban: Generated<boolean>
  test_model: Generated<string>
  tag: Generated<string>
  model_prefix: Generated<string>
  setting: Generated<string>
  param_override: Generated<string>
  header_override: Generated<string>
  system_prompt: Generated<string>
  max_input_tokens: Generated<number>
  openai_organization: Generated<string>
  other: Generated<string>
  other_info: Json
  used_quota: Generated<number>
  balance: Generated<string>
  balance_updated_at: NullableTime
  tested_at: NullableTime
  response_time_ms: Generated<number>
  created_at: Time
}

export interface ChannelKeyTable {
  channel_id: number
  key_hash: string
  status: Generated<number>
  reason: Generated<string>
  changed_at: Time
}

export interface AbilityTable {
  group: string
  model: string
  channel_id: number
  enabled: Generated<boolean>
  priority: Generated<number>
  weight: Generated<number>
  tag: Generated<string>
}

/** The last alert to the super admin about a channel and status. */
export interface ChannelAlertTable {
  channel_id: number
  status: number
  sent_at: Time
}

/** The last sweep of its kind over all channels. It runs while it has no end and its holder renews it. */
export interface ChannelSweepTable {
  kind: string
  holder: string
  expires_at: ColumnType<Date, Date, Date>
  started_at: Time
  finished_at: NullableTime
  total: Generated<number>
  done: Generated<number>
  failed: Generated<number>
  current: Generated<string>
  cancelled: Generated<boolean>
}

/** Attempts of one channel in one minute, on all nodes. Unlogged: lost when the database crashes. */
export interface ChannelMinuteTable {
  channel_id: number
  minute: Time
  succeeded: Generated<number>
  failed: Generated<number>
  total_ms: Generated<number>
  first_token_ms: Generated<number>
  first_tokens: Generated<number>
}
