import { createHash } from 'node:crypto'

export type OldRow = Record<string, string | number | boolean | null | Date>
export type OldContent = Record<string, OldRow[]>

/** Bcrypt hash of `correct horse 42`, in the format of Go programs. */
export const OLD_PASSWORD_HASH = '$2a$10$axyhcIg./AoHFHnjURRMIe0gzE9tTjhvf5bPPMdQDvHnZ5lD9x80u'

export const JANUARY = 1_767_225_600
const ORDINARY_USERS = 40
const REMOVED = new Date('2026-02-01T08:00:00Z')

/** A fixed key of 48 characters for a name. */
export function oldKey(name: string): string {
  return createHash('sha384').update(name).digest('base64').replace(/[+/=]/g, 'x').slice(0, 48)
}

/** A site with dozens of users and tokens, including invalid rows. Columns that a product lacks are removed later. */
export function oldSite(product: 'one-api' | 'new-api' | 'veloera'): OldContent {
  const users = oldUsers()
  return {
    users,
    tokens: oldTokens(),
    channels: oldChannels(product),
    options: oldOptions(),
    redemptions: oldRedemptions(),
    top_ups: oldTopUps(),
    logs: oldLogs(),
  }
}

function aUser(id: number, fields: OldRow = {}): OldRow {
  return {
    id,
    username: `user${id}`,
    password: OLD_PASSWORD_HASH,
    display_name: `用户 ${id}`,
    role: 1,
    status: 1,
    email: `user${id}@example.com`,
    github_id: '',
    wechat_id: '',
    telegram_id: '',
    oidc_id: '',
    linux_do_id: '',
    lark_id: '',
    access_token: null,
    quota: id * 1_000 + 7,
    used_quota: id * 11,
    request_count: id,
    group: 'default',
    aff_code: `a${id}`,
    aff_count: 0,
    aff_quota: 0,
    aff_history: 0,
    inviter_id: 0,
    setting: '',
    deleted_at: null,
    last_check_in_time: null,
    ...fields,
  }
}

function oldUsers(): OldRow[] {
  return [
    aUser(1, {
      username: 'root',
      role: 100,
      quota: 500_000_000_000_000,
      access_token: '0123456789abcdef0123456789abcdef',
    }),
    aUser(2, {
      username: '林小雨',
      display_name: '',
      group: 'vip',
      quota: 1_234_567,
      github_id: 'LinXiaoYu',
      aff_quota: 500,
    }),
    aUser(3, { username: 'debtor', quota: -4_321 }),
    aUser(4, { username: 'banned', status: 2, quota: 99 }),
    aUser(5, { username: 'gone', quota: 555, status: 3, deleted_at: REMOVED }),
    aUser(6, { username: 'twin', email: 'USER7@example.com' }),
    aUser(7, { inviter_id: 2, setting: '{"quota_warning_threshold": 250000.0}' }),
    aUser(8, { email: '', password: '', wechat_id: 'wx-8', display_name: null, inviter_id: 5 }),
    aUser(9, { setting: '{"broken', group: null, aff_code: '', last_check_in_time: new Date('2026-03-01T02:03:04Z') }),
    aUser(10, { role: 10, username: 'helper', quota: 0, telegram_id: '424242' }),
    aUser(11, { group: 'unknown-group', email: null }),
    ...Array.from({ length: ORDINARY_USERS }, (_, index) => aUser(12 + index)),
  ]
}

function aToken(id: number, userId: number, fields: OldRow = {}): OldRow {
  return {
    id,
    user_id: userId,
    key: oldKey(`token ${id}`),
    status: 1,
    name: `令牌 ${id}`,
    created_time: JANUARY + id,
    accessed_time: JANUARY + 1_000,
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: true,
    used_quota: id,
    models: null,
    subnet: '',
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
    deleted_at: null,
    rate_limit_enabled: false,
    frequency: 60,
    limit: 1000,
    successful_limit: 10,
    ...fields,
  }
}

function oldTokens(): OldRow[] {
  return [
    aToken(1, 2, { remain_quota: 800_001, unlimited_quota: false, name: 'limited' }),
    aToken(2, 2, { remain_quota: -17, name: 'unlimited and below zero' }),
    aToken(3, 3, { remain_quota: -5, unlimited_quota: false, status: 4, name: 'spent' }),
    aToken(4, 5, { remain_quota: 10, name: 'of a deleted user' }),
    aToken(5, 999, { name: 'without an owner' }),
    aToken(6, 7, { models: 'gpt-4o, gpt-4o-mini', model_limits_enabled: true, model_limits: 'gpt-4o, gpt-4o-mini' }),
    aToken(7, 7, {
      subnet: '192.0.2.0/24,198.51.100.7',
      allow_ips: '192.0.2.0/24\n198.51.100.7',
      expired_time: JANUARY,
    }),
    aToken(8, 7, { subnet: 'office', allow_ips: 'office', group: 'auto' }),
    aToken(9, 8, { key: '', name: 'no key' }),
    aToken(10, 8, { rate_limit_enabled: true, frequency: 30, limit: 5, successful_limit: 3, group: 'vip' }),
    ...Array.from({ length: ORDINARY_USERS }, (_, index) => aToken(11 + index, 12 + index, { remain_quota: index })),
  ]
}

export function aChannel(id: number, fields: OldRow = {}): OldRow {
  return {
    id,
    type: 1,
    key: `sk-upstream-${id}`,
    status: 1,
    name: `渠道 ${id}`,
    weight: 3,
    created_time: JANUARY,
    test_time: 0,
    response_time: 812,
    base_url: '',
    other: '',
    balance: 1.5,
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default',
    used_quota: 77,
    model_mapping: null,
    priority: 5,
    config: '',
    system_prompt: null,
    openai_organization: null,
    test_model: null,
    status_code_mapping: '',
    auto_ban: 1,
    other_info: '',
    tag: null,
    setting: null,
    param_override: null,
    header_override: null,
    channel_info: null,
    settings: '',
    model_prefix: '',
    ...fields,
  }
}

function oldChannels(product: string): OldRow[] {
  const isOneApi = product === 'one-api'
  return [
    aChannel(1, { key: 'sk-one\nsk-two\n\nsk-three', base_url: 'https://upstream.example/', tag: 'main' }),
    aChannel(2, { type: isOneApi ? 36 : 43, name: 'deepseek', models: 'deepseek-chat', group: 'default, vip' }),
    aChannel(3, { type: 999, name: 'from the future' }),
    aChannel(4, {
      name: 'odd json',
      model_mapping: '{"gpt-4o": ',
      setting: 'not json',
      status_code_mapping: '{"400":"500"}',
    }),
    aChannel(5, {
      name: 'mapped',
      model_mapping: '{"gpt-4o":"gpt-4o-2024-08-06"}',
      param_override: '{"temperature":0}',
    }),
    aChannel(6, { type: 3, name: 'azure', base_url: 'https://a.example', ...azureVersion(isOneApi) }),
    aChannel(7, { name: 'no models', models: '' }),
    aChannel(8, { name: 'off', status: 2, auto_ban: 0, weight: null, priority: null }),
    aChannel(9, {
      name: 'half its keys',
      key: 'k-1\nk-2',
      channel_info: '{"is_multi_key":true,"multi_key_size":2,"multi_key_status_list":{"1":3}}',
    }),
    aChannel(10, { type: isOneApi ? 29 : 1, name: 'groq', base_url: isOneApi ? '' : 'https://api.groq.com/openai' }),
  ]
}

function azureVersion(isOneApi: boolean): OldRow {
  return isOneApi ? { config: '{"api_version":"2024-10-21"}' } : { other: '2024-10-21' }
}

function oldOptions(): OldRow[] {
  return Object.entries({
    SystemName: '潮汐',
    GroupRatio: '{"default":1,"vip":0.8}',
    ModelRatio: '{"gpt-4o":1.25,"gpt-4o-mini":0.075,"deepseek-chat":0.135}',
    CompletionRatio: '{"deepseek-chat":4}',
    QuotaForNewUser: '5000',
    SMTPToken: 'mail-secret',
    ModelPrice: '{"broken"',
    ChatLink: 'https://chat.example',
    Theme: 'default',
  }).map(([key, value]) => ({ key, value }))
}

function aCode(id: number, fields: OldRow = {}): OldRow {
  return {
    id,
    user_id: 1,
    key: createHash('md5').update(`code ${id}`).digest('hex'),
    status: 1,
    name: '春节礼包',
    quota: 50_000,
    created_time: JANUARY,
    redeemed_time: 0,
    used_user_id: 0,
    expired_time: 0,
    deleted_at: null,
    is_gift: false,
    max_uses: -1,
    used_count: 0,
    valid_from: 0,
    valid_until: 0,
    ...fields,
  }
}

function oldRedemptions(): OldRow[] {
  return [
    aCode(1),
    aCode(2, { status: 3, redeemed_time: JANUARY + 60, used_user_id: 2 }),
    aCode(3, { status: 2 }),
    aCode(4, { quota: -1 }),
  ]
}

function oldTopUps(): OldRow[] {
  const order = { user_id: 2, amount: 10, money: 73.5, payment_method: 'alipay', create_time: JANUARY }
  return [
    { id: 1, ...order, trade_no: 'USR2NO1', complete_time: JANUARY + 5, status: 'success' },
    { id: 2, ...order, trade_no: 'USR2NO2', complete_time: 0, status: 'pending' },
  ]
}

function oldLogs(): OldRow[] {
  const call = { type: 2, username: '林小雨', token_name: 'limited', model_name: 'gpt-4o', quota: 120, content: '' }
  const rest = { prompt_tokens: 30, completion_tokens: 12, channel_id: 1, is_stream: true, request_id: '', ip: '' }
  const more = { elapsed_time: 2_000, use_time: 2, token_id: 1, group: 'vip' }
  return [
    { id: 1, user_id: 2, created_at: JANUARY, ...call, ...rest, ...more },
    { id: 2, user_id: 2, created_at: JANUARY + 86_400, ...call, ...rest, ...more },
    { id: 3, user_id: 999, created_at: JANUARY + 86_400, ...call, ...rest, ...more },
    { id: 4, user_id: 2, created_at: JANUARY + 90_000, ...call, ...rest, ...more, type: 1, content: '通过兑换码充值' },
  ]
}
