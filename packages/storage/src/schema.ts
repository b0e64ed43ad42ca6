import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** The tables of the database as Kysely sees them. bigint is read as a safe integer, numeric as text. */
export interface Database {
  ability: AbilityTable
  access_token: AccessTokenTable
  audit_event: AuditEventTable
  catalog_version: CatalogVersionTable
  channel: ChannelTable
  channel_key: ChannelKeyTable
  check_in: CheckInTable
  credit_lease: CreditLeaseTable
  drawing_task: DrawingTaskTable
  gateway_process: GatewayProcessTable
  identity: IdentityTable
  job_lease: JobLeaseTable
  ledger_entry: LedgerEntryTable
  message: MessageTable
  message_recipient: MessageRecipientTable
  model_mapping: ModelMappingTable
  music_task: MusicTaskTable
  option: OptionTable
  outbox: OutboxTable
  redemption: RedemptionTable
  redemption_use: RedemptionUseTable
  session: SessionTable
  settlement_batch: SettlementBatchTable
  setup: SetupTable
  token: TokenTable
  top_up: TopUpTable
  usage_log: UsageLogTable
  usage_rollup: UsageRollupTable
  user: UserTable
}

export const TABLE_NAMES = [
  'ability',
  'access_token',
  'audit_event',
  'catalog_version',
  'channel',
  'channel_key',
  'check_in',
  'credit_lease',
  'drawing_task',
  'gateway_process',
  'identity',
  'job_lease',
  'ledger_entry',
  'message',
  'message_recipient',
  'model_mapping',
  'music_task',
  'option',
  'outbox',
  'redemption',
  'redemption_use',
  'session',
  'settlement_batch',
  'setup',
  'token',
  'top_up',
  'usage_log',
  'usage_rollup',
  'user',
] as const satisfies readonly (keyof Database)[]

type Time = ColumnType<Date, Date | string | undefined, Date | string>
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type Json<Value extends object = Record<string, unknown>> = JSONColumnType<Value, string | undefined>

export interface UserTable {
  id: Generated<number>
  username: string
  password_hash: string | null
  display_name: string
  role: Generated<number>
  status: Generated<number>
  group: Generated<string>
  email: Generated<string>
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  aff_code: string
  aff_count: Generated<number>
  aff_quota: Generated<number>
  aff_history_quota: Generated<number>
  inviter_id: number | null
  setting: Json
  last_check_in_at: NullableTime
  created_at: Time
  deleted_at: NullableTime
}

export interface IdentityTable {
  id: Generated<number>
  user_id: number
  provider: string
  issuer: Generated<string>
  subject: string
  label: Generated<string>
  created_at: Time
}

export interface SessionTable {
  id_hash: string
  user_id: number
  created_at: Time
  last_seen_at: Time
  expires_at: ColumnType<Date, Date, Date>
  client_ip: Generated<string>
  user_agent: Generated<string>
}

export interface AccessTokenTable {
  user_id: number
  hash: string
  last_four: string
  created_at: Time
  last_used_at: NullableTime
}

export interface SetupTable {
  id: Generated<number>
  version: string
  initialized_at: Time
}

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
  /** What calls took from its own account; less than what was used with it while it was unlimited. */
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
}

export interface GatewayProcessTable {
  holder: string
  started_at: Time
  heartbeat_at: Time
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

export interface UsageRollupTable {
  user_id: number
  model_name: string
  hour: ColumnType<Date, Date, Date>
  requests: Generated<number>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
}

export interface RedemptionTable {
  id: Generated<number>
  created_by: number
  key: string
  status: Generated<number>
  name: string
  quota: number
  is_gift: Generated<boolean>
  max_uses: Generated<number>
  used_count: Generated<number>
  used_user_id: number | null
  valid_from: NullableTime
  valid_until: NullableTime
  created_at: Time
  redeemed_at: NullableTime
  deleted_at: NullableTime
}

export interface RedemptionUseTable {
  redemption_id: number
  user_id: number
  used_at: Time
}

export interface CheckInTable {
  user_id: number
  /** `YYYY-MM-DD`. Read it as `day::text`: the driver makes a Date of local midnight, which can be another day. */
  day: ColumnType<Date, string, string>
  reward: number
  created_at: Time
}

export interface TopUpTable {
  id: Generated<number>
  user_id: number
  trade_no: string
  units: string
  quota: number
  money: string
  payment_method: string
  status: Generated<'pending' | 'success' | 'expired'>
  created_at: Time
  completed_at: NullableTime
}

export interface MessageTable {
  id: Generated<number>
  title: string
  content: string
  format: Generated<'markdown' | 'html'>
  created_by: number
  created_at: Time
  updated_at: Time
}

export interface MessageRecipientTable {
  user_id: number
  message_id: number
  read_at: NullableTime
  created_at: Time
}

export interface DrawingTaskTable {
  id: Generated<number>
  user_id: number
  token_id: Generated<number>
  channel_id: number
  mj_id: Generated<string>
  action: string
  code: Generated<number>
  status: Generated<string>
  progress: Generated<string>
  prompt: Generated<string>
  prompt_en: Generated<string>
  description: Generated<string>
  state: Generated<string>
  image_url: Generated<string>
  fail_reason: Generated<string>
  buttons: Json<unknown[]>
  properties: Json
  quota: Generated<number>
  submitted_at: Time
  started_at: NullableTime
  finished_at: NullableTime
}

export interface MusicTaskTable {
  id: Generated<number>
  user_id: number
  token_id: Generated<number>
  channel_id: number
  task_id: string
  platform: Generated<string>
  action: string
  status: Generated<string>
  progress: Generated<string>
  fail_reason: Generated<string>
  properties: Json
  data: Json
  quota: Generated<number>
  created_at: Time
  updated_at: Time
  submitted_at: Time
  started_at: NullableTime
  finished_at: NullableTime
}

export interface JobLeaseTable {
  name: string
  holder: string
  expires_at: ColumnType<Date, Date, Date>
}

export interface AuditEventTable {
  id: Generated<number>
  actor_id: number | null
  action: string
  subject: Generated<string>
  details: Json
  client_ip: Generated<string>
  request_id: Generated<string>
  created_at: Time
}

export interface OutboxTable {
  id: Generated<number>
  topic: string
  shard_key: number
  payload: Json
  created_at: Time
  published_at: NullableTime
}
