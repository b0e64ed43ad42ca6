/** Refusals that concern how the site is run: its options, channels and virtual models. */
export const administrationErrors = {
  option_unknown: { status: 200, zh: '未知的设置项：{key}', en: 'There is no option named {key}.' },
  option_not_granted: {
    status: 403,
    zh: '您没有修改设置项 {key} 的权限，请联系超级管理员授权',
    en: 'You may not change the option {key}. Ask the super admin to grant its settings area.',
  },
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
  policy_needs_own_factor: {
    status: 200,
    zh: '请先为您自己的账号启用两步验证或通行密钥，否则您将无法使用控制台',
    en: 'Set up two-factor authentication or a passkey for your own account first. Otherwise you would lock yourself out.',
  },
  policy_excludes_own_address: {
    status: 200,
    zh: '列表不包含您当前的地址 {address}，保存后您将无法使用控制台',
    en: 'The list does not contain your address {address}. Add it, or you would lock yourself out.',
  },
  egress_not_allowed: {
    status: 200,
    zh: '不允许连接 {host}：它不在 TIDEGATE_EGRESS_ALLOW 的允许列表中',
    en: 'Connections to {host} are not allowed. Add it to TIDEGATE_EGRESS_ALLOW or use another address.',
  },
  option_change_not_found: { status: 200, zh: '没有这条修改记录', en: 'There is no such change.' },
  option_change_secret: {
    status: 200,
    zh: '{key} 是密钥，历史记录里不保存它的值，无法恢复',
    en: '{key} is a secret: its values are not kept, so it cannot be set back.',
  },
  option_change_without_before: {
    status: 200,
    zh: '这条记录没有保存 {key} 修改前的值，无法恢复',
    en: 'This change does not say what {key} was before, so it cannot be set back.',
  },

  config_file_invalid: {
    status: 200,
    zh: '配置文件有 {count} 处问题，没有做任何修改。\n{list}',
    en: 'The configuration file has problems ({count}); nothing was changed.\n{list}',
  },
  config_changed_meanwhile: {
    status: 200,
    zh: '站点设置在此期间有变化，请重新查看将要做的修改',
    en: 'The site has changed in the meantime. Look at the plan again.',
  },

  channel_not_found: { status: 200, zh: '渠道不存在', en: 'The channel does not exist.' },
  channel_mode_unknown: {
    status: 200,
    zh: '不支持的添加模式“{mode}”，请使用 single 或 multi_to_single',
    en: 'The mode "{mode}" is not supported. Use single or multi_to_single.',
  },
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
  channel_line_break: {
    status: 200,
    zh: '{field} 不能包含换行或其他控制字符',
    en: '{field} must not contain line breaks or other control characters.',
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
  channel_header_override_invalid: {
    status: 200,
    zh: '请求头覆盖的这一项不合法：{name}。值须为单行文本；不能覆盖 Host、Content-Type 等连接用的请求头，也不能转发调用方的密钥或 Cookie',
    en: 'The header override {name} is not valid. The value must be one line of text. Host, Content-Type and headers of the connection cannot be replaced; tokens and cookies of callers cannot be forwarded.',
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
} as const
