import { useErrorLabel } from '../../components/error-label.ts'

/** Codes of single requests: rejected by the gateway, or because of what they contain. */
const REQUEST_CODES = {
  interrupted: 'stream_interrupted',
  empty_response: 'empty_response',
  prompt_too_long: 'context_length_exceeded max_input_tokens_exceeded',
  content_blocked: 'content_filter content_policy_violation moderation_blocked sensitive_words_detected',
  no_channel: 'no_channel get_playground_channel_failed',
  channels_recovering: 'channels_cooling_down',
  model_not_in_group: 'model_not_in_group group_not_allowed',
  model_endpoint_unsupported: 'model_endpoint_unsupported api_not_implemented',
  model_price_error: 'model_price_error unpriced_option',
  balance_too_low: 'insufficient_user_quota',
  token_quota: 'pre_consume_token_quota_failed api_key_exhausted api_key_budget_spent',
  user_rate_limit: 'model_rate_limited playground_busy',
  token_rate_limit: 'token_rate_limited token_tokens_per_minute_limited token_concurrency_limited',
  token_invalid: 'api_key_invalid api_key_mistyped api_key_expired api_key_disabled api_key_owner_disabled',
  not_allowed: 'ip_not_allowed model_not_allowed channel_pin_refused channel_pin_disabled access_changed',
} as const

/** Names errors of providers and of the gateway in a few words. */
export const useLogErrorLabel = () => useErrorLabel(REQUEST_CODES)
