/** Refusals of the control plane that concern what is being administered: channels, tokens, options. */
export const administrationErrors = {
  option_unknown: { status: 200, zh: '未知的设置项：{key}', en: 'There is no option named {key}.' },
  option_invalid: {
    status: 200,
    zh: '设置项 {key} 的值不合法：{reason}',
    en: 'The value of {key} is not valid: {reason}',
  },
  option_guard_needs: {
    status: 200,
    zh: '开启 {key} 之前请先填写：{missing}',
    en: 'Before turning {key} on, fill in: {missing}',
  },
  option_guard_in_use: {
    status: 200,
    zh: '{user} 已开启，不能清空 {key}',
    en: '{key} cannot be cleared while {user} is on.',
  },
  option_guard_modes_exclusive: {
    status: 200,
    zh: '自用模式与演示站点不能同时开启',
    en: 'Self-use mode and demo site cannot both be on.',
  },
  option_guard_fallback_mixed: {
    status: 200,
    zh: '请检查兜底倍率配置：固定价格与倍率不能同时设置',
    en: 'Check the fallback pricing: a price per call and ratios cannot both be set.',
  },
  option_guard_fallback_incomplete: {
    status: 200,
    zh: '请检查兜底倍率配置：请只填固定价格，或同时填写输入与补全倍率',
    en: 'Check the fallback pricing: set the price per call alone, or both ratios.',
  },
  option_guard_last_sign_in: {
    status: 200,
    zh: '不能关闭最后一种登录方式',
    en: 'This is the last way to sign in; it cannot be turned off.',
  },

  channel_not_found: { status: 200, zh: '渠道不存在', en: 'The channel does not exist.' },
  channel_name_key_required: {
    status: 200,
    zh: '请填写渠道名称和渠道密钥！',
    en: 'Enter a name and a key for the channel.',
  },
  channel_models_required: { status: 200, zh: '请至少选择一个模型！', en: 'Choose at least one model.' },
  channel_type_unknown: { status: 200, zh: '不支持的渠道类型：{type}', en: 'Channel type {type} is not supported.' },
  channel_base_url_required: {
    status: 200,
    zh: '该类型的渠道必须填写接口地址',
    en: 'Channels of this type need a base URL.',
  },
  channel_base_url_invalid: {
    status: 200,
    zh: '接口地址必须是 http 或 https 地址',
    en: 'The base URL must be an http or https address.',
  },
  channel_json_invalid: { status: 200, zh: '{field} 不是合法的 JSON 对象', en: '{field} is not a valid JSON object.' },
  group_unknown: { status: 200, zh: '分组不存在：{group}', en: 'There is no group named {group}.' },

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
  token_group_not_allowed: { status: 200, zh: '无权使用分组 {group}', en: 'You may not use the group {group}.' },

  redemption_invalid: { status: 200, zh: '兑换码无效', en: 'The redemption code is not valid.' },
  redemption_disabled: { status: 200, zh: '该兑换码已被禁用', en: 'This redemption code is disabled.' },
  redemption_used: { status: 200, zh: '该兑换码已被使用', en: 'This redemption code has been used up.' },
  redemption_repeated: { status: 200, zh: '您已使用过该兑换码', en: 'You have already used this redemption code.' },
  redemption_not_started: { status: 200, zh: '该兑换码尚未生效', en: 'This redemption code is not valid yet.' },
  redemption_expired: { status: 200, zh: '该兑换码已过期', en: 'This redemption code has expired.' },

  checkin_off: { status: 200, zh: '签到功能未启用', en: 'The daily check-in is not enabled.' },
  checkin_misconfigured: {
    status: 200,
    zh: '签到奖励配置有误，请联系管理员',
    en: 'The check-in reward is not set up. Tell the administrator.',
  },
  checkin_done: { status: 200, zh: '今天已经签到过了', en: 'You have already checked in today.' },

  aff_min: { status: 200, zh: '转移额度最少为 {min}', en: 'The least you can transfer is {min}.' },
  aff_not_enough: { status: 200, zh: '邀请额度不足', en: 'There are not enough invite earnings.' },

  top_up_unknown: { status: 200, zh: '充值订单不存在：{tradeNo}', en: 'There is no top-up order {tradeNo}.' },
  top_up_expired: { status: 200, zh: '充值订单已过期：{tradeNo}', en: 'The top-up order {tradeNo} has expired.' },

  quota_invalid: {
    status: 200,
    zh: '额度必须是 {min} 到 {max} 之间的整数',
    en: 'The quota must be a whole number from {min} to {max}.',
  },
  balance_limit: {
    status: 200,
    zh: '余额不能超过 {limit}',
    en: 'The balance cannot be more than {limit}.',
  },
} as const
