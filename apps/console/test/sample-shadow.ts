import type { ShadowCall, ShadowSummary } from '@tidegate/contract/api'

/** A shadow request with the same channel and a 10% higher cost. */
export const aShadowCall = (changes: Partial<ShadowCall> = {}): ShadowCall => ({
  id: 1,
  created_at: 1_763_200_000,
  username: 'mira',
  token_name: 'laptop',
  model_name: 'gpt-4o',
  path: '/v1/chat/completions',
  is_stream: true,
  group: 'default',
  channel_id: 3,
  channel_name: 'harbour',
  upstream_model: 'gpt-4o',
  prompt_tokens: 120,
  reserve: 5000,
  refusal: null,
  old_log_at: 1_763_199_999,
  old_channel_id: 3,
  old_channel_name: 'harbour',
  old_prompt_tokens: 118,
  old_completion_tokens: 250,
  old_quota: 50_000,
  would_quota: 55_000,
  ...changes,
})

/** Fields of a request without a matching row in the old log. */
export const UNMATCHED = {
  old_log_at: null,
  old_channel_id: null,
  old_channel_name: '',
  old_prompt_tokens: null,
  old_completion_tokens: null,
  old_quota: null,
  would_quota: null,
} as const satisfies Partial<ShadowCall>

export const aShadowSummary = (changes: Partial<ShadowSummary> = {}): ShadowSummary => ({
  enabled: true,
  share: 100,
  calls: 1200,
  matched: 900,
  old_quota: 1_000_000,
  would_quota: 1_050_000,
  refused: [
    { code: 'no_channel', calls: 30 },
    { code: 'insufficient_user_quota', calls: 6 },
  ],
  models: [
    { model_name: 'gpt-4o', calls: 800, matched: 600, old_quota: 900_000, would_quota: 960_000 },
    { model_name: 'claude-sonnet', calls: 400, matched: 0, old_quota: 0, would_quota: 0 },
  ],
  routes: [
    { old_channel_id: 3, old_channel_name: 'harbour', channel_id: 3, channel_name: 'harbour', calls: 700 },
    { old_channel_id: 3, old_channel_name: 'harbour', channel_id: 4, channel_name: 'lagoon', calls: 170 },
    { old_channel_id: 4, old_channel_name: 'lagoon', channel_id: null, channel_name: '', calls: 30 },
  ],
  dropped: 0,
  ...changes,
})
