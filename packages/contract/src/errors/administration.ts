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

  delivery_not_found: { status: 200, zh: '通知记录不存在', en: 'There is no such notice.' },
  delivery_not_failed: {
    status: 200,
    zh: '只有发送失败的通知可以重试',
    en: 'Only a notice that failed can be sent again.',
  },
  email_missing: {
    status: 200,
    zh: '请先绑定邮箱或填写通知邮箱',
    en: 'Bind an email address or enter one for notices first.',
  },

  channel_not_found: { status: 200, zh: '渠道不存在', en: 'The channel does not exist.' },
  channel_name_key_required: {
    status: 200,
    zh: '请填写渠道名称和渠道密钥！',
    en: 'Enter a name and a key for the channel.',
  },
  channel_name_too_long: {
    status: 200,
    zh: '渠道名称最长 {limit} 个字符',
    en: 'The channel name can have at most {limit} characters.',
  },
  channel_status_invalid: {
    status: 200,
    zh: '渠道状态只能设为 1（启用）或 2（禁用）',
    en: 'A channel can be set to status 1 (enabled) or 2 (disabled) only.',
  },
  channel_models_required: { status: 200, zh: '请至少选择一个模型！', en: 'Choose at least one model.' },
  channel_model_name_too_long: {
    status: 200,
    zh: '模型名称最长 {limit} 个字符：{model}…',
    en: 'A model name can have at most {limit} characters: {model}…',
  },
  channel_type_unknown: { status: 200, zh: '不支持的渠道类型：{type}', en: 'Channel type {type} is not supported.' },
  channel_key_required: { status: 200, zh: '请填写密钥', en: 'Enter the key.' },
  channel_key_single: {
    status: 200,
    zh: '该类型的渠道只能有一个密钥',
    en: 'Channels of this type take one key only.',
  },
  channel_key_shape: {
    status: 200,
    zh: '密钥格式不正确，应为：{shape}',
    en: 'The key does not have the form this type needs: {shape}',
  },
  channel_key_mask_unknown: {
    status: 200,
    zh: '有一行掩码不对应任何已保存的密钥，请填写完整密钥',
    en: 'A masked line stands for no stored key. Enter that key in full.',
  },
  channel_key_unreadable: {
    status: 200,
    zh: '该渠道的密钥无法解密，请重新填写',
    en: 'The stored key of this channel cannot be opened. Enter it again.',
  },
  channel_key_not_found: { status: 200, zh: '该渠道没有这个密钥', en: 'The channel has no such key.' },
  channel_key_last: {
    status: 200,
    zh: '这是最后一个可用的密钥，请直接禁用渠道',
    en: 'This is the last key in use. Disable the channel instead.',
  },
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
  channel_region_required: {
    status: 200,
    zh: '该类型的渠道必须填写部署地区',
    en: 'Channels of this type need a deployment region.',
  },
  channel_region_invalid: {
    status: 200,
    zh: '部署地区必须是地区名，或包含 default 的 JSON 对象（模型名到地区名）',
    en: 'The region must be a name, or a JSON object of model names to regions that has a "default".',
  },
  channel_json_invalid: { status: 200, zh: '{field} 不是合法的 JSON 对象', en: '{field} is not a valid JSON object.' },
  channel_model_mapping_invalid: {
    status: 200,
    zh: '模型重定向的每一项都必须是文本到文本：{name}',
    en: 'Model redirection must lead from names to names; this one does not: {name}',
  },
  channel_status_code_mapping_invalid: {
    status: 200,
    zh: '状态码复写的每一项都必须是 100 到 599 的状态码：{name}',
    en: 'Status code mapping must lead from codes to codes between 100 and 599; this one does not: {name}',
  },
  channel_setting_invalid: {
    status: 200,
    zh: '渠道额外设置 {name} 的值不合法，应为：{expected}',
    en: 'The channel setting {name} is not valid; it takes: {expected}',
  },
  channel_proxy_invalid: {
    status: 200,
    zh: '代理地址必须以 http、https 或 socks5 开头',
    en: 'The proxy must be an http, https or socks5 address.',
  },
  channel_priority_invalid: {
    status: 200,
    zh: '优先级必须是不小于 {min} 的整数',
    en: 'The priority must be a whole number not below {min}.',
  },
  channel_weight_invalid: {
    status: 200,
    zh: '权重必须是 0 到 {max} 的整数',
    en: 'The weight must be a whole number from 0 to {max}.',
  },
  channel_tag_required: { status: 200, zh: '标签不能为空！', en: 'Tag cannot be empty!' },
  channel_tag_not_found: { status: 200, zh: '没有渠道使用标签 {tag}', en: 'No channel has the tag {tag}.' },
  channel_tag_too_long: {
    status: 200,
    zh: '标签最长 {limit} 个字符，且不能包含逗号',
    en: 'A tag can have at most {limit} characters and no comma.',
  },
  channel_test_unsupported: {
    status: 200,
    zh: '该类型的渠道不支持测试',
    en: 'Channels of this type cannot be tested.',
  },
  channel_test_off: {
    status: 200,
    zh: '当前进程未运行网关，无法测试渠道',
    en: 'This process runs no gateway, so it cannot test channels.',
  },
  channel_test_failed: { status: 200, zh: '渠道测试未通过', en: 'The channel did not pass its test.' },
  upstream_calls_off: {
    status: 200,
    zh: '当前进程无法访问上游',
    en: 'This process cannot call upstreams.',
  },
  model_list_unsupported: {
    status: 200,
    zh: '该类型的渠道不提供模型列表',
    en: 'Channels of this type give no list of models.',
  },
  fetch_models_failed: {
    status: 200,
    zh: '获取模型列表失败：{reason}',
    en: 'The list of models could not be fetched: {reason}',
  },
  fetch_models_upstream_failed: {
    status: 500,
    zh: '获取模型列表失败：{reason}',
    en: 'The list of models could not be fetched: {reason}',
  },
  balance_unsupported: {
    status: 200,
    zh: '该类型的渠道尚未实现余额查询',
    en: 'Balances are not implemented for channels of this type.',
  },
  balance_failed: {
    status: 200,
    zh: '查询余额失败：{reason}',
    en: 'The balance could not be fetched: {reason}',
  },
  sweep_running: {
    status: 200,
    zh: '同样的任务正在进行中，请等待其结束',
    en: 'This is running already. Wait until it has ended.',
  },
  sweep_not_running: { status: 200, zh: '没有正在进行的任务', en: 'Nothing of this kind is running.' },
  group_unknown: { status: 200, zh: '分组不存在：{group}', en: 'There is no group named {group}.' },

  model_mapping_malformed: {
    status: 400,
    zh: '模型映射必须是 JSON 对象：虚拟模型名到实际模型列表',
    en: 'The mapping must be a JSON object of virtual names to lists of models.',
  },
  model_mapping_name_required: { status: 400, zh: '虚拟模型名不能为空', en: 'A virtual model needs a name.' },
  model_mapping_name_invalid: {
    status: 400,
    zh: '虚拟模型名不可用：{name}',
    en: 'This name cannot be used for a virtual model: {name}',
  },
  model_mapping_targets_required: {
    status: 400,
    zh: '虚拟模型 {name} 至少需要一个实际模型',
    en: 'The virtual model {name} needs at least one actual model.',
  },
  model_mapping_target_blank: {
    status: 400,
    zh: '虚拟模型 {name} 的实际模型名为空或过长',
    en: 'An actual model of {name} has no name, or one that is too long.',
  },
  model_mapping_target_repeated: {
    status: 400,
    zh: '虚拟模型 {name} 的实际模型名重复：{model}',
    en: 'The virtual model {name} lists {model} twice.',
  },
  model_mapping_target_virtual: {
    status: 400,
    zh: '虚拟模型 {name} 的目标 {model} 本身是虚拟模型',
    en: 'The target {model} of {name} is a virtual model itself.',
  },
  model_mapping_priority_invalid: {
    status: 400,
    zh: '虚拟模型 {name} 的优先级必须是不小于 0 的整数',
    en: 'Priorities of {name} must be whole numbers not below 0.',
  },
  model_mapping_unreadable: {
    status: 500,
    zh: '已保存的模型映射无法读取',
    en: 'The stored mapping cannot be read.',
  },

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
    zh: '模型 {model} 不存在，或您的分组无法使用',
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
    en: 'Somebody has used this code: its quota, kind and number of uses are fixed.',
  },
  redemption_delayed: {
    status: 429,
    zh: '兑换失败次数过多，请 {seconds} 秒后再试',
    en: 'Too many wrong codes. Try again in {seconds} s.',
  },
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

  rank_read: {
    status: 200,
    zh: '无权查看同级或更高级别的用户',
    en: 'You cannot read users of your level or above.',
  },
  rank_update: {
    status: 200,
    zh: '无权更新同级或更高级别的用户',
    en: 'You cannot update users of your level or above.',
  },
  rank_delete: {
    status: 200,
    zh: '无权删除同级或更高级别的用户',
    en: 'You cannot delete users of your level or above.',
  },
  rank_create: {
    status: 200,
    zh: '无法创建同级或更高级别的用户',
    en: 'You cannot create users of your level or above.',
  },
  rank_raise: {
    status: 200,
    zh: '无权将用户提升到同级或更高级别',
    en: 'You cannot raise a user to your level or above.',
  },
  only_root_promotes: {
    status: 200,
    zh: '普通管理员无法提升其他用户为管理员',
    en: 'Only the super admin can make an administrator.',
  },
  root_protected: {
    status: 200,
    zh: '不能禁用、删除、降级超级管理员，或清除其两步验证',
    en: 'The super admin cannot be disabled, deleted or demoted, nor lose second factors to a reset.',
  },
  already_admin: { status: 200, zh: '该用户已经是管理员', en: 'The user is an administrator already.' },
  already_common: { status: 200, zh: '该用户已经是普通用户', en: 'The user is an ordinary user already.' },
  target_deregistered: {
    status: 200,
    zh: '该用户已注销，请先恢复',
    en: 'The user was deregistered. Restore the account first.',
  },
  target_not_deregistered: { status: 200, zh: '该用户并未注销', en: 'The user was not deregistered.' },
  email_in_use: {
    status: 200,
    zh: '该用户的邮箱已被其他账户使用',
    en: 'Another account uses the email address of this user.',
  },
  username_changed_recently: {
    status: 200,
    zh: '用户名每 {days} 天只能修改一次',
    en: 'The username can be changed once in {days} days.',
  },
  original_password_required: {
    status: 200,
    zh: '请输入当前密码，或重新登录后再试',
    en: 'Enter your current password, or log in again first.',
  },
  original_password_wrong: { status: 200, zh: '当前密码错误', en: 'The current password is wrong.' },
  account_name_differs: {
    status: 200,
    zh: '请输入你的账户名以确认删除！',
    en: 'Enter your account name to confirm.',
  },
  session_not_found: { status: 200, zh: '会话不存在', en: 'There is no such session.' },

  notify_type_invalid: { status: 200, zh: '无效的通知方式', en: 'Notices go by email or webhook.' },
  threshold_invalid: {
    status: 200,
    zh: '预警额度必须是大于 0 的整数',
    en: 'The warning threshold must be a whole number above 0.',
  },
  webhook_required: { status: 200, zh: '请填写 Webhook 地址', en: 'Enter the address of the webhook.' },
  webhook_invalid: {
    status: 200,
    zh: 'Webhook 地址必须以 https:// 开头，且指向公网的 443 端口',
    en: 'The webhook must be an https:// address on port 443 of the public internet.',
  },
  webhook_secret_invalid: {
    status: 200,
    zh: 'Webhook 密钥只能包含可见的 ASCII 字符',
    en: 'The webhook secret can hold visible ASCII characters only.',
  },
  notification_code_required: {
    status: 200,
    zh: '通知邮箱与账户邮箱不同，请输入发送到该邮箱的验证码',
    en: 'This is not the address of the account. Enter the code that was mailed to it.',
  },
} as const
