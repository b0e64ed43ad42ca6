import type { Generated } from 'kysely'
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

export interface ModelMappingTable {
  virtual_model: string
  target_model: string
  priority: Generated<number>
}
