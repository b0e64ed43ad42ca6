/** Errors of the data plane; rendered in the caller's protocol with type `gateway_error`. */
export const gatewayErrors = {
  invalid_json: { status: 400, zh: '请求体不是合法的 JSON', en: 'The request body is not valid JSON.' },
  body_too_complex: {
    status: 400,
    zh: '请求体嵌套过深或包含的值过多（最多 {depth} 层、{values} 个值），请拆分后重试',
    en: 'The request body is nested too deeply or holds too many values (at most {depth} levels and {values} values). Send it in parts.',
  },
  body_overcompressed: {
    status: 413,
    zh: '请求体的压缩比超过 {ratio}:1，请不压缩发送',
    en: 'The request body is compressed by more than {ratio}:1. Send it without compression.',
  },
  invalid_text_request: { status: 400, zh: '请求不合法：{reason}', en: 'The request is not valid: {reason}' },
  convert_request_failed: {
    status: 400,
    zh: '该请求无法转换为上游渠道的协议：{reason}',
    en: 'The channel that would serve this request cannot express it: {reason}',
  },
  unpriced_option: {
    status: 400,
    zh: '模型 {model} 在此站点没有 {option} 的价格，请去掉该选项后重试',
    en: 'This site has no price for the option {option} of the model {model}. Send the request without it.',
  },
  media_unavailable: {
    status: 400,
    zh: '请求中的文件地址无法读取：{reason}',
    en: 'A file the request points to could not be read: {reason}',
  },
  previous_response_not_found: {
    status: 400,
    zh: "找不到 id 为 '{id}' 的上一个响应",
    en: "Previous response with id '{id}' not found.",
  },
  response_not_found: {
    status: 404,
    zh: "找不到 id 为 '{id}' 的响应",
    en: "Response with id '{id}' not found.",
  },
  interaction_not_found: {
    status: 404,
    zh: "找不到 id 为 '{id}' 的交互",
    en: "Interaction with id '{id}' not found.",
  },
  stored_item_not_found: {
    status: 404,
    zh: "找不到 id 为 '{id}' 的条目，请在 input 中发送该条目本身",
    en: "Item with id '{id}' not found. Send the item itself in input instead.",
  },
  conversation_not_found: {
    status: 404,
    zh: "找不到 id 为 '{id}' 的对话",
    en: "Conversation with id '{id}' not found.",
  },
  file_not_found: { status: 404, zh: '找不到文件 {id}', en: 'No such File object: {id}' },
  file_too_large: {
    status: 413,
    zh: '文件超过 {megabytes} MB 的上限',
    en: 'The file is larger than {megabytes} MB.',
  },
  storage_quota_exceeded: {
    status: 403,
    zh: '您的文件已达 {megabytes} MB 的上限，请先删除部分文件',
    en: 'Your files may have {megabytes} MB together. Delete some of them first.',
  },
  batch_not_found: { status: 404, zh: "找不到 id 为 '{id}' 的批次", en: "No batch found with id '{id}'." },
  batch_not_cancellable: {
    status: 400,
    zh: "批次的状态为 '{status}'，无法取消",
    en: "Cannot cancel a batch with status '{status}'.",
  },
  batch_not_ended: {
    status: 400,
    zh: '批次 {id} 尚未结束，请等待其结束或先取消',
    en: 'The batch {id} has not ended. Wait until it has, or cancel it first.',
  },
  too_many_batches: {
    status: 429,
    zh: '您有 {limit} 个批次尚未结束，请等其中一个结束后重试',
    en: 'You have {limit} batches that have not ended. Try again when one of them has.',
  },
  stored_response_unavailable: {
    status: 400,
    zh: '保存 {id} 的渠道已无法处理该请求，请在 input 中发送完整对话',
    en: 'The channel that stores {id} can no longer serve this request. Send the whole conversation in input instead.',
  },
  task_not_exist: { status: 400, zh: '任务不存在', en: 'There is no such task.' },
  task_not_ready: {
    status: 400,
    zh: '任务的状态为 {status}，完成后才能进行此操作',
    en: 'The task is {status}; this can be done once it has succeeded.',
  },
  task_channel_gone: {
    status: 400,
    zh: '任务所在的渠道已停用，无法进行此操作',
    en: 'The channel of this task is out of use.',
  },
  task_address_refused: { status: 403, zh: '地址无效或已失效', en: 'This address is not valid.' },
  max_input_tokens_exceeded: {
    status: 400,
    zh: '提示词共 {tokens} 个 token，超过了模型 {model} 的上限 {limit}',
    en: 'The prompt has {tokens} tokens; the model {model} takes at most {limit} here.',
  },
  unmarshal_request_failed: { status: 400, zh: '无法读取请求内容', en: 'The request cannot be read.' },
  model_required: { status: 400, zh: '缺少 model 字段', en: 'The field model is required.' },
  api_key_missing: {
    status: 401,
    zh: '未提供令牌，请在客户端中填写令牌（API Key）',
    en: 'No API token was given. Set the API key of your client to a token of this site.',
  },
  api_key_invalid: {
    status: 401,
    zh: '无效的令牌，请在控制台的令牌页重新复制',
    en: 'This API token is not known here. Copy it again from the Tokens page of the console.',
  },
  api_key_mistyped: {
    status: 401,
    zh: '令牌的校验和不匹配，可能有误输入，请重新复制',
    en: 'The checksum of this API token does not match: it was mistyped or cut off. Copy it again.',
  },
  api_key_exhausted: {
    status: 401,
    zh: '该令牌额度已用尽（{hint}），请在令牌页调高额度或换用其他令牌',
    en: 'The quota of this API token is used up ({hint}). Raise it on the Tokens page of the console, or use another token.',
  },
  api_key_budget_spent: {
    status: 429,
    zh: '该令牌本周期的预算已用尽（{hint}），将于 {time} 重置',
    en: 'The budget of this API token is used up ({hint}). It starts again at {time}. You can raise it on the Tokens page of the console.',
  },
  api_key_expired: {
    status: 401,
    zh: '该令牌已过期，请在令牌页修改有效期或新建令牌',
    en: 'This API token has expired. Extend it or create a new one on the Tokens page of the console.',
  },
  api_key_disabled: {
    status: 401,
    zh: '该令牌已停用，请在令牌页启用或换用其他令牌',
    en: 'This API token is disabled. Enable it on the Tokens page of the console, or use another one.',
  },
  api_key_owner_disabled: {
    status: 403,
    zh: '用户已被封禁，请联系站点管理员',
    en: 'The owner of this API token is banned. Contact the operator of this site.',
  },
  access_changed: {
    status: 403,
    zh: '账号角色在请求进行期间发生变更，请重新发送请求',
    en: 'The role of your account changed while this request was running. Send the request again.',
  },
  channel_pin_refused: { status: 403, zh: '普通用户不支持指定渠道', en: 'Ordinary users cannot pin a channel.' },
  channel_pin_disabled: { status: 403, zh: '指定的渠道 {id} 已被禁用', en: 'The pinned channel {id} is disabled.' },
  ip_not_allowed: {
    status: 403,
    zh: '您的 IP 不在令牌允许的访问列表中',
    en: 'Your address is not on the allow-list of this API token.',
  },
  group_not_allowed: {
    status: 403,
    zh: '无权使用分组 {group}，请为令牌选择其他分组',
    en: 'Your account may not use the group {group}. Choose another group for the API token on the Tokens page of the console.',
  },
  model_not_allowed: {
    status: 403,
    zh: '该令牌无权使用模型 {model}，请更换模型或修改令牌的模型限制',
    en: 'This API token may not use the model {model}. Use another model, or change the model limits of the token.',
  },
  token_rate_limited: {
    status: 429,
    zh: '该令牌的请求过于频繁，请在 {seconds} 秒后重试',
    en: 'The key-level rate limit is exceeded. Try again in {seconds} s.',
  },
  token_tokens_per_minute_limited: {
    status: 429,
    zh: '该令牌每分钟的 token 用量已达上限 {limit}，请在 {seconds} 秒后重试',
    en: 'This API token may use {limit} tokens per minute, and they are used up. Try again in {seconds} s.',
  },
  token_prompt_too_large: {
    status: 429,
    zh: '提示词约 {tokens} 个 token，超过了该令牌每分钟的上限 {limit}，重试也无法通过，请缩短提示词或调高上限',
    en:
      'The prompt has about {tokens} tokens, and this API token may use {limit} per minute: trying again will not help. ' +
      'Shorten the prompt or raise the limit.',
  },
  token_concurrency_limited: {
    status: 429,
    zh: '该令牌同时进行的请求已达上限 {limit}，请等其中一个结束后重试',
    en: 'This API token may have {limit} calls at the same time, and has them. Try again when one has ended.',
  },
  playground_busy: {
    status: 429,
    zh: '操练场同时进行的对话已达上限 {limit}，请等其中一个结束后重试',
    en: 'The playground serves at most {limit} requests at the same time. Try again when one has finished.',
  },
  model_rate_limited: {
    status: 429,
    zh: '你的请求过于频繁，请在 {seconds} 秒后重试',
    en: 'Your rate limit is exceeded. Try again in {seconds} s.',
  },
  sensitive_words_detected: {
    status: 400,
    zh: '请求内容包含敏感词',
    en: 'The request contains words that are not allowed here.',
  },
  browser_extension_blocked: {
    status: 403,
    zh: '不允许浏览器扩展发起请求',
    en: 'Requests from browser extensions are not allowed here.',
  },
  insufficient_user_quota: {
    status: 403,
    zh: '用户额度不足，请充值后再使用',
    en: 'Your balance is too low for this request. Top up your balance, or lower the maximum output of the request.',
  },
  pre_consume_token_quota_failed: {
    status: 403,
    zh: '令牌额度不足，请在令牌页调高该令牌的额度',
    en: 'The quota left on this API token is too low for this request. Raise it on the Tokens page of the console.',
  },
  model_price_error: {
    status: 403,
    zh: '模型 {model} 尚未定价，暂不可用，请更换模型或联系站点管理员',
    en: 'The model {model} cannot be used yet because this site has not published a price for it. Use another model, or contact the operator of this site.',
  },
  model_not_found: {
    status: 404,
    zh: '模型 {model} 不存在，可用的模型见 GET /v1/models',
    en: 'The model {model} does not exist on this site. GET /v1/models lists the models that you can use.',
  },
  no_channel: {
    status: 404,
    zh: '当前分组 {group} 下对于模型 {model} 无可用渠道，请更换模型或联系站点管理员',
    en: 'The model {model} is out of service in the group {group}. Use another model, or contact the operator of this site.',
  },
  model_not_in_group: {
    status: 403,
    zh: '分组 {group} 不提供模型 {model}，请更换模型或为令牌选择其他分组',
    en: 'The model {model} is not part of the group {group}. Use another model, or choose another group for the API token.',
  },
  model_endpoint_unsupported: {
    status: 404,
    zh: '模型 {model} 不支持该接口，请更换模型或接口',
    en: 'The model {model} does not support this endpoint. Use another model or another endpoint.',
  },
  wrong_base_url: {
    status: 404,
    zh: '接口不存在：{method} {path}。请将客户端的 Base URL 设为 {base}',
    en: 'There is no {method} {path}. Set the base URL of your client to {base}.',
  },
  get_playground_channel_failed: {
    status: 503,
    zh: '分组 {group} 下没有可用于模型 {model} 的渠道',
    en: 'No channel in the group {group} can serve the model {model} right now.',
  },
  channels_cooling_down: {
    status: 503,
    zh: '模型 {model} 的渠道均在故障恢复中，请 {seconds} 秒后再试',
    en: 'Every channel for the model {model} is recovering from failures. Try again in {seconds} s.',
  },
  upstream_failed: { status: 502, zh: '请求上游失败', en: 'The request to the upstream failed.' },
  upstream_timeout: { status: 504, zh: '上游响应超时', en: 'The upstream did not respond in time.' },
  upstream_private_address: {
    status: 502,
    zh: '上游地址指向私有网络，未被允许',
    en: 'The upstream address is in a private network, which is not allowed here.',
  },
  upstream_egress_not_allowed: {
    status: 502,
    zh: '上游地址不在允许的出站列表中',
    en: 'The upstream address is not in the egress allow list.',
  },
  upstream_account_error: {
    status: 503,
    zh: '上游拒绝了该渠道的账户，请联系站点管理员',
    en: 'The provider rejected the account of this channel. Tell the operator of this site.',
  },
  empty_response: { status: 502, zh: '上游返回了空响应', en: 'The upstream returned an empty response.' },
  upstream_answer_too_large: {
    status: 502,
    zh: '上游返回的内容过大',
    en: 'The upstream sent a response, or a single event of it, that is too large.',
  },
  stream_interrupted: { status: 502, zh: '上游流中断', en: 'The upstream ended the stream early.' },
  api_not_implemented: { status: 501, zh: '该接口尚未实现', en: 'This call is not implemented.' },
  websocket_not_supported: {
    status: 426,
    zh: '该请求没有升级为 WebSocket：代理必须转发 Upgrade 请求头，或改用 POST /v1/responses',
    en: 'The request was not upgraded to a WebSocket. A proxy must forward the Upgrade header; or send POST /v1/responses.',
  },
  websocket_connection_limit_reached: {
    status: 400,
    zh: 'WebSocket 连接已达 60 分钟上限，请重新连接',
    en: 'The WebSocket connection has reached its limit of 60 minutes. Connect again.',
  },
  websocket_queue_full: {
    status: 429,
    zh: '该 WebSocket 连接上等待的请求过多，请等其中一个结束后重试',
    en: 'Too many requests wait on this WebSocket connection. Try again when one has ended.',
  },
  settlement_unavailable: {
    status: 503,
    zh: '计费服务暂时不可用，请稍后再试',
    en: 'Billing is not available right now. Try again shortly.',
  },
} as const
