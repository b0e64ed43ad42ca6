import type { DialectId } from '@tidegate/dialects'
import type { BudgetState } from '../ports/index.ts'

/** The state of a caller's budgets, the tightest of each kind. */
export interface LimitStates {
  readonly requests?: BudgetState | undefined
  readonly tokens?: BudgetState | undefined
}

/** Adds the headers that OpenAI's clients read, and on Anthropic's protocol those that Anthropic's clients read too. */
export function addRateLimitHeaders(
  headers: string[],
  { requests, tokens }: LimitStates,
  { protocol, nowMs }: { protocol: DialectId; nowMs: number },
): void {
  if (requests) addBudget(headers, NAMES.requests, requests)
  if (tokens) addBudget(headers, NAMES.tokens, tokens)
  if (protocol !== 'anthropic-messages') return
  if (requests) addBudgetOfAnthropic(headers, 'requests', requests, nowMs)
  if (tokens) addBudgetOfAnthropic(headers, 'tokens', tokens, nowMs)
}

const NAMES = {
  requests: ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  tokens: ['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
} as const

function addBudget(
  headers: string[],
  [limitName, remainingName, resetName]: readonly [string, string, string],
  { limit, remaining, resetSeconds }: BudgetState,
): void {
  headers.push(limitName, String(limit), remainingName, String(remaining), resetName, durationText(resetSeconds))
}

function addBudgetOfAnthropic(
  headers: string[],
  kind: string,
  { limit, remaining, resetSeconds }: BudgetState,
  nowMs: number,
): void {
  const name = `anthropic-ratelimit-${kind}`
  headers.push(`${name}-limit`, String(limit), `${name}-remaining`, String(remaining))
  headers.push(`${name}-reset`, timestampText(nowMs + resetSeconds * 1000))
}

/** The budget with the least remaining; of equal ones, the one with the latest reset. */
export function tightest(budgets: readonly BudgetState[]): BudgetState | undefined {
  let found: BudgetState | undefined
  for (const budget of budgets) if (!found || isTighter(budget, found)) found = budget
  return found
}

function isTighter(one: BudgetState, other: BudgetState): boolean {
  return one.remaining < other.remaining || (one.remaining === other.remaining && one.resetSeconds > other.resetSeconds)
}

/** In OpenAI's format: `20ms`, `1s`, `6m0s`, `1h0m0s`. */
export function durationText(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.ceil(seconds * 1000)}ms`
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return `${hours > 0 ? `${hours}h` : ''}${whole >= 60 ? `${minutes}m` : ''}${whole % 60}s`
}

/** RFC 3339 in whole seconds, rounded up. */
function timestampText(ms: number): string {
  return new Date(Math.ceil(ms / 1000) * 1000).toISOString().replace('.000', '')
}
