import type { Refused } from './send-trial.ts'

/** What helps after a refusal; each has its words among the texts. */
export type NextStep = 'token' | 'balance' | 'model' | 'wait' | 'prompt' | 'later' | 'operator'

const BY_CODE: Readonly<Record<string, NextStep>> = {
  api_key_missing: 'token',
  api_key_invalid: 'token',
  api_key_mistyped: 'token',
  api_key_exhausted: 'token',
  api_key_budget_spent: 'token',
  api_key_expired: 'token',
  api_key_disabled: 'token',
  ip_not_allowed: 'token',
  group_not_allowed: 'token',
  pre_consume_token_quota_failed: 'token',
  insufficient_user_quota: 'balance',
  model_not_allowed: 'model',
  model_not_found: 'model',
  model_price_error: 'model',
  no_channel: 'model',
  model_not_in_group: 'model',
  model_endpoint_unsupported: 'model',
  sensitive_words_detected: 'prompt',
}

export function nextStep({ status, code }: Pick<Refused, 'status' | 'code'>): NextStep {
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!
  if (status === 429) return 'wait'
  return status >= 500 ? 'later' : 'operator'
}
