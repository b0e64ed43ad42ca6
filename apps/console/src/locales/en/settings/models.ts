/** Names of the rate limits and model settings, and a line on what each is for. */
export default {
  ModelRequestRateLimitEnabled: {
    label: 'Limit calls per user',
    help: 'How many model calls each user may make in a while',
  },
  ModelRequestRateLimitDurationMinutes: { label: 'Window', help: 'The time in which calls are counted; 0 is no limit' },
  ModelRequestRateLimitCount: { label: 'Calls per window', help: 'Failed calls count too; 0 is no limit' },
  ModelRequestRateLimitSuccessCount: {
    label: 'Successful calls per window',
    help: 'Only those that succeed; 1 or more',
  },

  global_pass_through_request_enabled: {
    label: 'Pass calls through',
    help: 'Bodies in the OpenAI format go to the vendor as they came',
  },
  global_hide_upstream_error_enabled: {
    label: "Hide vendors' errors",
    help: "Users see a general error instead of the vendor's own words",
  },
  global_block_browser_extension_enabled: {
    label: 'Refuse browser extensions',
    help: 'Calls that browser extensions make are refused',
  },

  global_rate_limit_exempt_enabled: {
    label: 'Rate limit exemption',
    help: 'The group below has no rate limits, neither of users nor of tokens',
  },
  global_rate_limit_exempt_group: { label: 'Group without rate limit', help: 'The name of the group' },
  global_safe_check_exempt_enabled: {
    label: 'Blocked words exemption',
    help: 'Calls of the group below are not checked for blocked words',
  },
  global_safe_check_exempt_group: { label: 'Group without word check', help: 'The name of the group' },

  global_auto_retry_enabled: {
    label: 'Automatic retry',
    help: 'Calls that fail are tried again without the user noticing',
  },
  global_auto_retry_count: { label: 'Number of retries', help: '1 to 10' },
  global_auto_retry_force_channel_switch: {
    label: 'Retry elsewhere first',
    help: 'Each retry goes on to the next priority; the only channel there is will be tried again',
  },
  global_auto_retry_status_codes: {
    label: 'Statuses to retry',
    help: 'x stands for any digit, as in 5xx or 429; none means all',
  },

  general_setting_ping_interval_enabled: {
    label: 'Keep streams alive',
    help: 'Sends blank lines while the vendor is silent, so that no proxy closes the connection',
  },
  general_setting_ping_interval_seconds: { label: 'Interval', help: '1 second or more' },

  gemini_safety_settings: {
    label: 'Safety settings',
    help: 'What is blocked, by category; default is for those not named',
  },
  gemini_version_settings: { label: 'API versions', help: 'By model; default is for those not named' },
  gemini_supported_imagine_models: { label: 'Models that draw', help: 'Their answers may hold images' },
  gemini_thinking_adapter_enabled: {
    label: 'Thinking suffix',
    help: 'Names that end in -thinking or -nothinking turn it on or off, as in gemini-2.5-flash-thinking',
  },
  gemini_thinking_adapter_budget_tokens_percentage: {
    label: 'Share for thinking',
    help: 'How much of the longest answer may be thinking, 0.002 to 1',
  },
  gemini_models_supported_thinking_budget: {
    label: 'Models with a thinking budget',
    help: 'A budget is sent to these only',
  },

  claude_model_headers_settings: { label: 'Headers', help: 'Headers to add by model, such as anthropic-beta' },
  claude_default_max_tokens: {
    label: 'Default longest answer',
    help: 'For calls that state none; default is for models not named',
  },
  claude_thinking_adapter_enabled: { label: 'Thinking suffix', help: 'Names that end in -thinking turn it on' },
  claude_thinking_adapter_budget_tokens_percentage: {
    label: 'Share for thinking',
    help: 'How much of the longest answer may be thinking, 0.1 to 1',
  },

  global_model_mapping: { label: 'Model mapping', help: 'Which models virtual names stand for' },
}
