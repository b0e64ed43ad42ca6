/** Errors of API tokens. */
export const tokenErrors = {
  token_not_found: { status: 200, zh: '令牌不存在', en: 'The token does not exist.' },
  token_name_invalid: {
    status: 200,
    zh: '令牌名称需为 1 到 30 个字符',
    en: 'The token name needs 1 to 30 characters.',
  },
  token_limit_reached: {
    status: 200,
    zh: '每个用户最多 {limit} 个令牌',
    en: 'A user can have at most {limit} tokens.',
  },
  token_expiry_invalid: {
    status: 200,
    zh: '过期时间必须是 -1 或将来的时间',
    en: 'The expiry must be -1 (never) or a time in the future.',
  },
  token_count_invalid: {
    status: 200,
    zh: '一次可创建 1 到 {limit} 个令牌',
    en: 'From 1 to {limit} tokens can be made at once.',
  },
  token_model_unknown: {
    status: 200,
    zh: '模型 {model} 不存在，或你的分组无法使用',
    en: 'There is no model {model} that your groups can use.',
  },
  token_address_invalid: {
    status: 200,
    zh: 'IP 白名单中有无效的地址或网段：{line}',
    en: 'This line of the IP list is neither an address nor a range: {line}',
  },
  token_budget_invalid: {
    status: 200,
    zh: '周期预算必须大于 0，且不能与无限额度同时设置',
    en: 'A budget is more than 0, and a token with one is not unlimited.',
  },
  token_zone_unknown: { status: 200, zh: '未知的时区：{zone}', en: 'There is no time zone {zone}.' },
  token_status_invalid: {
    status: 200,
    zh: '令牌只能启用或禁用',
    en: 'A token can be enabled or disabled only.',
  },
  token_still_expired: {
    status: 200,
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
    en: 'The token has expired. Give it a later expiry, or none, before enabling it.',
  },
  token_still_exhausted: {
    status: 200,
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
    en: 'The quota of the token is used up. Raise it, or lift the limit, before enabling it.',
  },
  token_group_not_allowed: { status: 200, zh: '无权使用分组 {group}', en: 'You may not use the group {group}.' },
} as const
