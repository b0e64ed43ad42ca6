import type { OutgoingHttpHeaders } from 'node:http'
import { asJsonObject, parseJsonObject } from '@tidegate/dialects'

/** The response to a line. */
export interface LineResponse {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly text: string
  /** The process stopped before the response was complete. */
  readonly isInterrupted: boolean
}

export type LineOutcome =
  /** The line is finished with this response. */
  | { readonly kind: 'finished'; readonly isSuccess: boolean }
  /** The line runs again. `counts` is false where no provider was called. */
  | { readonly kind: 'retry'; readonly seconds: number; readonly counts: boolean }
  /** The balance does not cover the line. */
  | { readonly kind: 'uncovered' }

const MAX_ATTEMPTS = 4
const UNCOVERED_CODES = new Set(['insufficient_user_quota', 'pre_consume_token_quota_failed', 'api_key_exhausted'])
/** Limits and outages that end by themselves: the line waits for them, at most until its batch expires. */
const WAITING_CODES = new Set([
  'token_rate_limited',
  'token_tokens_per_minute_limited',
  'token_concurrency_limited',
  'model_rate_limited',
  'api_key_budget_spent',
  'channels_cooling_down',
  'settlement_unavailable',
])
const MAX_WAIT_SECONDS = 300
const RETRIED = new Set([408, 409, 425, 429])

/** What follows from the response to a line that ran `attempts` times. */
export function outcomeOf({ status, headers, isInterrupted }: LineResponse, attempts: number): LineOutcome {
  if (isInterrupted) return { kind: 'retry', seconds: 0, counts: false }
  if (status < 400) return { kind: 'finished', isSuccess: true }
  const code = String(headers['x-tidegate-error'] ?? '')
  if (UNCOVERED_CODES.has(code)) return { kind: 'uncovered' }
  const wait = Math.min(MAX_WAIT_SECONDS, Math.max(1, Number(headers['retry-after'] ?? 0) || 2 ** attempts))
  if (WAITING_CODES.has(code)) return { kind: 'retry', seconds: wait, counts: false }
  const mayPass = (status >= 500 || RETRIED.has(status)) && headers['x-should-retry'] !== 'false'
  if (mayPass && attempts < MAX_ATTEMPTS) return { kind: 'retry', seconds: wait, counts: true }
  return { kind: 'finished', isSuccess: false }
}

/** The tokens that a response reports, in any protocol. */
export function tokensOf(text: string): { inputTokens: number; outputTokens: number } {
  const usage = asJsonObject(parseJsonObject(text)?.usage) ?? {}
  const count = (...names: string[]) =>
    names.reduce((sum, name) => sum + (typeof usage[name] === 'number' ? usage[name] : 0), 0)
  const input = ['prompt_tokens', 'input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
  return { inputTokens: count(...input), outputTokens: count('completion_tokens', 'output_tokens') }
}
