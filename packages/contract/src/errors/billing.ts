/** Errors of redemption codes, check-in, invite earnings and payments. */
export const billingErrors = {
  redemption_not_found: { status: 200, zh: '兑换码不存在', en: 'There is no such redemption code.' },
  redemption_required: { status: 200, zh: '请输入兑换码！', en: 'Please enter the redemption code!' },
  redemptions_required: {
    status: 200,
    zh: '请至少选择一个兑换码！',
    en: 'Please select at least one redemption code!',
  },
  redemption_name_invalid: {
    status: 200,
    zh: '兑换码名称长度必须在 1 到 20 个字符之间',
    en: 'The name of a redemption code has 1 to 20 characters.',
  },
  redemption_count_invalid: {
    status: 200,
    zh: '一次可生成 1 到 {limit} 个兑换码',
    en: 'From 1 to {limit} codes can be made at once.',
  },
  redemption_uses_invalid: {
    status: 200,
    zh: '最大使用次数须为 -1（不限）或正整数',
    en: 'The number of uses is -1 (no limit) or a positive whole number.',
  },
  redemption_window_invalid: {
    status: 200,
    zh: '生效时间必须早于过期时间',
    en: 'Effective time must be earlier than expiry time.',
  },
  redemption_key_invalid: {
    status: 200,
    zh: '自定义兑换码最长 {limit} 个字符，且不能包含空白和控制字符',
    en: 'A code of your own has at most {limit} characters, with no spaces or control characters.',
  },
  redemption_key_taken: { status: 200, zh: '该兑换码已存在', en: 'This code exists already.' },
  redemption_status_invalid: {
    status: 200,
    zh: '兑换码只能启用或禁用',
    en: 'A redemption code can be enabled or disabled only.',
  },
  redemption_in_use: {
    status: 200,
    zh: '已有人使用该兑换码，不能再修改额度、类型和使用次数',
    en: 'This code has been used: its quota, kind and number of uses are fixed.',
  },
  redemption_delayed: {
    status: 429,
    zh: '兑换失败次数过多，请 {seconds} 秒后再试',
    en: 'Too many wrong codes. Try again in {seconds} s.',
  },
  redemption_invalid: { status: 200, zh: '兑换码无效', en: 'The redemption code is not valid.' },
  redemption_disabled: { status: 200, zh: '该兑换码已被禁用', en: 'This redemption code is disabled.' },
  redemption_used: { status: 200, zh: '该兑换码已被使用', en: 'This redemption code has been used up.' },
  redemption_edit_disabled: {
    status: 200,
    zh: '兑换码已禁用，请先启用再编辑',
    en: 'The redemption code is disabled. Enable it before you edit it.',
  },
  redemption_repeated: { status: 200, zh: '你已使用过该兑换码', en: 'You have already used this redemption code.' },
  redemption_not_started: { status: 200, zh: '该兑换码尚未生效', en: 'This redemption code is not valid yet.' },
  redemption_expired: { status: 200, zh: '该兑换码已过期', en: 'This redemption code has expired.' },

  checkin_off: { status: 200, zh: '签到功能未启用', en: 'The daily check-in is not enabled.' },
  checkin_misconfigured: {
    status: 200,
    zh: '签到奖励配置有误，请联系管理员',
    en: 'The check-in reward is not set up. Tell the administrator.',
  },
  checkin_done: { status: 200, zh: '今日已签到，请明天再来', en: 'You have already checked in today.' },

  aff_min: { status: 200, zh: '转移额度最少为 {min}', en: 'The least you can transfer is {min}.' },
  aff_not_enough: { status: 200, zh: '邀请额度不足', en: 'There are not enough invite earnings.' },

  payment_closed: {
    status: 200,
    zh: '当前管理员未开启该支付方式',
    en: 'The administrator has not opened this way to pay.',
  },
  payment_amount_invalid: { status: 200, zh: '充值数量必须是正整数', en: 'The amount is a positive whole number.' },
  payment_below_minimum: {
    status: 200,
    zh: '充值数量不能小于 {min}',
    en: 'The amount cannot be less than {min}.',
  },
  payment_too_small: { status: 200, zh: '充值金额过低', en: 'The sum to pay is too small.' },
  payment_too_large: { status: 200, zh: '充值数量过大', en: 'The amount is too large.' },
  payment_unreachable: {
    status: 200,
    zh: '无法连接支付平台，请稍后重试',
    en: 'The payment service cannot be reached. Try again later.',
  },
  order_not_found: { status: 200, zh: '订单不存在', en: 'There is no such order.' },
  top_up_unknown: { status: 200, zh: '充值订单不存在：{tradeNo}', en: 'There is no top-up order {tradeNo}.' },

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
