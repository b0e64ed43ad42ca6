/** Errors of channels, their keys and their tests. */
export const channelErrors = {
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
  route_plan_off: {
    status: 200,
    zh: '当前进程未运行网关，无法显示路由',
    en: 'This process cannot explain routing. Send the request to a process with the gateway.',
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
} as const
