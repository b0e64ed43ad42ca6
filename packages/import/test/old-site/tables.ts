/** Column types of those products; `id` is auto-incremented. */
export type ColumnKind = 'id' | 'int' | 'text' | 'flag' | 'char32' | 'char48' | 'real' | 'time' | 'json'
export type Columns = Readonly<Record<string, ColumnKind>>
export type OldTables = Readonly<Record<string, Columns>>

const users: Columns = {
  id: 'id',
  username: 'text',
  password: 'text',
  display_name: 'text',
  role: 'int',
  status: 'int',
  email: 'text',
  github_id: 'text',
  wechat_id: 'text',
  access_token: 'char32',
  quota: 'int',
  used_quota: 'int',
  request_count: 'int',
  group: 'text',
  aff_code: 'text',
  inviter_id: 'int',
}

const tokens: Columns = {
  id: 'id',
  user_id: 'int',
  key: 'char48',
  status: 'int',
  name: 'text',
  created_time: 'int',
  accessed_time: 'int',
  expired_time: 'int',
  remain_quota: 'int',
  unlimited_quota: 'flag',
  used_quota: 'int',
}

const channels: Columns = {
  id: 'id',
  type: 'int',
  key: 'text',
  status: 'int',
  name: 'text',
  weight: 'int',
  created_time: 'int',
  test_time: 'int',
  response_time: 'int',
  base_url: 'text',
  other: 'text',
  balance: 'real',
  models: 'text',
  group: 'text',
  used_quota: 'int',
  model_mapping: 'text',
  priority: 'int',
}

const redemptions: Columns = {
  id: 'id',
  user_id: 'int',
  key: 'char32',
  status: 'int',
  name: 'text',
  quota: 'int',
  created_time: 'int',
  redeemed_time: 'int',
}

const logs: Columns = {
  id: 'id',
  user_id: 'int',
  created_at: 'int',
  type: 'int',
  content: 'text',
  username: 'text',
  token_name: 'text',
  model_name: 'text',
  quota: 'int',
  prompt_tokens: 'int',
  completion_tokens: 'int',
  channel_id: 'int',
  is_stream: 'flag',
}

const options: Columns = { key: 'text', value: 'text' }

const oneApi: OldTables = {
  users: { ...users, lark_id: 'text', oidc_id: 'text' },
  tokens: { ...tokens, models: 'text', subnet: 'text' },
  channels: { ...channels, config: 'text', system_prompt: 'text' },
  redemptions,
  options,
  logs: { ...logs, elapsed_time: 'int', request_id: 'text' },
}

const newApi: OldTables = {
  users: {
    ...users,
    telegram_id: 'text',
    oidc_id: 'text',
    linux_do_id: 'text',
    aff_count: 'int',
    aff_quota: 'int',
    aff_history: 'int',
    setting: 'text',
    deleted_at: 'time',
  },
  tokens: {
    ...tokens,
    model_limits_enabled: 'flag',
    model_limits: 'text',
    allow_ips: 'text',
    group: 'text',
    deleted_at: 'time',
  },
  channels: {
    ...channels,
    openai_organization: 'text',
    test_model: 'text',
    status_code_mapping: 'text',
    auto_ban: 'int',
    other_info: 'text',
    tag: 'text',
    setting: 'text',
    param_override: 'text',
    header_override: 'text',
    channel_info: 'json',
    settings: 'text',
  },
  redemptions: { ...redemptions, used_user_id: 'int', expired_time: 'int', deleted_at: 'time' },
  options,
  logs: { ...logs, use_time: 'int', token_id: 'int', group: 'text', ip: 'text' },
  top_ups: {
    id: 'id',
    user_id: 'int',
    amount: 'int',
    money: 'real',
    trade_no: 'text',
    payment_method: 'text',
    create_time: 'int',
    complete_time: 'int',
    status: 'text',
  },
}

const veloera: OldTables = {
  ...newApi,
  users: { ...newApi.users, last_check_in_time: 'time' },
  tokens: {
    ...newApi.tokens,
    rate_limit_enabled: 'flag',
    frequency: 'int',
    limit: 'int',
    successful_limit: 'int',
  },
  channels: { ...newApi.channels, model_prefix: 'text' },
  redemptions: {
    ...newApi.redemptions,
    is_gift: 'flag',
    max_uses: 'int',
    used_count: 'int',
    valid_from: 'int',
    valid_until: 'int',
  },
}

/** The tables of each product, as far as they are read. */
export const OLD_TABLES: Readonly<Record<'one-api' | 'new-api' | 'veloera', OldTables>> = {
  'one-api': oneApi,
  'new-api': newApi,
  veloera,
}
