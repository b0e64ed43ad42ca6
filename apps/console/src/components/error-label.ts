import { useTranslation } from 'react-i18next'

/** Codes of the gateway and of providers that mean the same to a reader. */
const CODES = {
  provider_rate_limit: ['rate_limit_exceeded', 'rate_limit_error', 'RESOURCE_EXHAUSTED', 'too_many_requests'],
  provider_quota: ['insufficient_quota', 'billing_hard_limit_reached', 'upstream_account_error', 'billing_error'],
  provider_key: ['invalid_api_key', 'authentication_error', 'unauthorized', 'UNAUTHENTICATED'],
  provider_access: ['permission_error', 'permission_denied', 'PERMISSION_DENIED'],
  overloaded: ['overloaded_error', 'overloaded', 'server_overloaded', 'UNAVAILABLE'],
  provider_error: ['server_error', 'api_error', 'internal_error', 'INTERNAL', 'upstream_failed'],
  timeout: ['upstream_timeout', 'timeout', 'timeout_error', 'task_timeout', 'DEADLINE_EXCEEDED'],
  interrupted: ['stream_interrupted', 'stream_broke'],
  empty_response: ['empty_response'],
  too_large: ['upstream_answer_too_large', 'file_too_large', 'request_too_large', 'body_overcompressed'],
  prompt_too_long: [
    'context_length_exceeded',
    'max_input_tokens_exceeded',
    'string_above_max_length',
    'token_prompt_too_large',
  ],
  content_blocked: [
    'content_filter',
    'content_policy_violation',
    'moderation_blocked',
    'sensitive_words_detected',
    'data_inspection_failed',
  ],
  invalid_request: [
    'invalid_request_error',
    'invalid_request',
    'INVALID_ARGUMENT',
    'invalid_value',
    'unsupported_parameter',
    'unsupported_value',
    'invalid_json',
    'invalid_text_request',
    'body_too_complex',
    'unmarshal_request_failed',
    'convert_request_failed',
    'model_required',
  ],
  not_found: ['not_found_error', 'NOT_FOUND', 'wrong_base_url'],
  model_not_found: ['model_not_found'],
  no_channel: ['no_channel', 'get_playground_channel_failed'],
  channels_recovering: ['channels_cooling_down'],
  model_not_in_group: ['model_not_in_group', 'group_not_allowed'],
  model_endpoint_unsupported: ['model_endpoint_unsupported', 'api_not_implemented'],
  model_price_error: ['model_price_error', 'unpriced_option'],
  balance_too_low: ['insufficient_user_quota'],
  token_quota: ['pre_consume_token_quota_failed', 'api_key_exhausted', 'api_key_budget_spent'],
  user_rate_limit: ['model_rate_limited', 'playground_busy'],
  token_rate_limit: ['token_rate_limited', 'token_tokens_per_minute_limited', 'token_concurrency_limited'],
  token_invalid: [
    'api_key_missing',
    'api_key_invalid',
    'api_key_mistyped',
    'api_key_expired',
    'api_key_disabled',
    'api_key_owner_disabled',
  ],
  not_allowed: ['ip_not_allowed', 'model_not_allowed', 'channel_pin_refused', 'channel_pin_disabled', 'access_changed'],
} as const satisfies Record<string, readonly string[]>
type LabelName = keyof typeof CODES

const BY_CODE = new Map<string, LabelName>(
  Object.entries(CODES).flatMap(([name, codes]) => codes.map((code) => [code, name as LabelName])),
)

const BY_STATUS: Readonly<Record<number, LabelName>> = {
  400: 'invalid_request',
  401: 'provider_key',
  402: 'provider_quota',
  403: 'provider_access',
  404: 'not_found',
  408: 'timeout',
  413: 'too_large',
  422: 'invalid_request',
  429: 'provider_rate_limit',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
}

interface FailedCall {
  code: string
  /** Of the response; 0 if there was none. */
  status: number
}

export type ErrorLabel = (error: FailedCall) => string | undefined

/** A few words for an error in a list, or undefined for an error that only its message explains. */
export function useErrorLabel(): ErrorLabel {
  const { t } = useTranslation('logs')
  return ({ code, status }) => {
    const name = BY_CODE.get(code) ?? BY_STATUS[status] ?? (status >= 500 ? 'provider_error' : undefined)
    return name && t(`errors.${name}`)
  }
}
