import type { Texts } from '../../locales/texts.ts'

type Code = keyof Texts['shadow']['refusals']
type Translate = (key: `refusals.${Code}`) => string

/** Error codes of rejections that happen before a request is sent to a provider. */
export const REJECTION_CODES = [
  'api_key_budget_spent',
  'api_key_disabled',
  'api_key_exhausted',
  'api_key_expired',
  'api_key_owner_disabled',
  'api_not_implemented',
  'browser_extension_blocked',
  'channel_pin_disabled',
  'channel_pin_refused',
  'channels_cooling_down',
  'convert_request_failed',
  'group_not_allowed',
  'insufficient_user_quota',
  'invalid_json',
  'invalid_text_request',
  'ip_not_allowed',
  'max_input_tokens_exceeded',
  'media_unavailable',
  'model_endpoint_unsupported',
  'model_not_allowed',
  'model_not_found',
  'model_not_in_group',
  'model_price_error',
  'model_rate_limited',
  'model_required',
  'no_channel',
  'pre_consume_token_quota_failed',
  'sensitive_words_detected',
  'settlement_unavailable',
  'token_concurrency_limited',
  'token_prompt_too_large',
  'token_rate_limited',
  'token_tokens_per_minute_limited',
  'unmarshal_request_failed',
] as const satisfies readonly Code[]

/** The translated reason, or the code if it has no translation. */
export function rejectionText(code: string, t: Translate): string {
  const known = REJECTION_CODES.find((one) => one === code)
  return known ? t(`refusals.${known}`) : code
}
