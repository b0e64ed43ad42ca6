/** 速率限制与模型设置里每一项的名称与说明。 */
export default {
  ModelRequestRateLimitEnabled: { label: '启用用户请求速率限制', help: '限制每个用户在一段时间内的模型请求次数' },
  ModelRequestRateLimitDurationMinutes: { label: '限制周期', help: '按多长时间计算次数；0 表示不限制' },
  ModelRequestRateLimitCount: { label: '周期内最多请求次数', help: '包括失败的请求；0 表示不限制' },
  ModelRequestRateLimitSuccessCount: { label: '周期内最多成功次数', help: '只计成功的请求，至少为 1' },

  global_pass_through_request_enabled: {
    label: '透传请求',
    help: 'OpenAI 格式的请求体原样发给上游，不做改写',
  },
  global_hide_upstream_error_enabled: { label: '隐藏上游错误', help: '用户只看到通用的错误信息，看不到上游原文' },
  global_block_browser_extension_enabled: { label: '拦截浏览器插件', help: '拒绝来自浏览器插件的请求' },

  global_rate_limit_exempt_enabled: { label: '启用速率豁免', help: '下面的分组不受用户和令牌的速率限制' },
  global_rate_limit_exempt_group: { label: '速率豁免分组', help: '分组名称' },
  global_safe_check_exempt_enabled: { label: '启用屏蔽词豁免', help: '下面的分组不检查屏蔽词' },
  global_safe_check_exempt_group: { label: '屏蔽词豁免分组', help: '分组名称' },

  global_auto_retry_enabled: { label: '启用自动重试', help: '上游失败时自动再试，用户不会察觉' },
  global_auto_retry_count: { label: '重试次数', help: '1 到 10' },
  global_auto_retry_force_channel_switch: {
    label: '重试时优先换渠道',
    help: '每次重试先换到下一优先级的渠道；只有一个渠道时仍会重试它',
  },
  global_auto_retry_status_codes: { label: '重试的状态码', help: '可用 x 代表任意数字，如 5xx、429；留空表示全部' },

  general_setting_ping_interval_enabled: {
    label: '启用保活',
    help: '等待上游时定期发送空行，避免连接被中间的代理断开',
  },
  general_setting_ping_interval_seconds: { label: '保活间隔', help: '至少 1 秒' },

  gemini_safety_settings: { label: '安全设置', help: '按类别设置拦截级别，default 用于没有列出的类别' },
  gemini_version_settings: { label: 'API 版本', help: '按模型设置，default 用于没有列出的模型' },
  gemini_supported_imagine_models: { label: '支持生成图片的模型', help: '这些模型的回答里可以包含图片' },
  gemini_thinking_adapter_enabled: {
    label: '启用思考后缀',
    help: '用 -thinking、-nothinking 后缀开关思考，如 gemini-2.5-flash-thinking',
  },
  gemini_thinking_adapter_budget_tokens_percentage: {
    label: '思考预算比例',
    help: '思考最多占最大输出的多少，0.002 到 1',
  },
  gemini_models_supported_thinking_budget: { label: '支持思考预算的模型', help: '只对这些模型发送思考预算' },

  claude_model_headers_settings: { label: '请求头', help: '按模型附加的请求头，如 anthropic-beta' },
  claude_default_max_tokens: { label: '默认最大输出', help: '请求没有写明时使用；default 用于没有列出的模型' },
  claude_thinking_adapter_enabled: { label: '启用思考后缀', help: '用 -thinking 后缀开启思考' },
  claude_thinking_adapter_budget_tokens_percentage: {
    label: '思考预算比例',
    help: '思考最多占最大输出的多少，0.1 到 1',
  },

  global_model_mapping: { label: '模型映射', help: '虚拟模型名对应哪些实际模型' },
}
