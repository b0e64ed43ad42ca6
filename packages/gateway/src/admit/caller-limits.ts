import { isAutoGroup, type Settings } from '@tidegate/contract'
import type { Budget, RequestedBudget, ConcurrencyLease, RateLimit, Caller } from '../ports/index.ts'

/** All rate limits of a caller. */
export interface CallerLimits {
  /** Acquired when a request arrives. Budgets with `standing` also count rejected requests. */
  readonly requests: readonly RequestedBudget[]
  /** The budgets that count only successful requests. */
  readonly successes: readonly Budget[]
  /** Model tokens. */
  readonly tokens?: Budget
  readonly concurrency?: Omit<ConcurrencyLease, 'holder'>
}

export type LimitSettings = Pick<
  Settings,
  | 'ModelRequestRateLimitEnabled'
  | 'ModelRequestRateLimitCount'
  | 'ModelRequestRateLimitSuccessCount'
  | 'ModelRequestRateLimitDurationMinutes'
  | 'global.rate_limit_exempt_enabled'
  | 'global.rate_limit_exempt_group'
  | 'GroupRatio'
>

const TOKEN = 'calls:token:'
const USER = 'calls:user:'
const PLAYGROUND = 'calls:playground:'

interface CachedLimits {
  readonly group: string
  readonly settings: LimitSettings
  readonly limits: CallerLimits | undefined
}

const cachedLimits = new WeakMap<Caller, CachedLimits>()

/**
 * The limits of the token, and of its owner where the operator limits all users. Undefined when nothing limits the
 * caller. Computed once per caller record and settings.
 */
export function limitsOf(caller: Caller, group: string, settings: LimitSettings): CallerLimits | undefined {
  const known = cachedLimits.get(caller)
  if (known?.settings === settings && known.group === group) return known.limits
  const limits = findLimits(caller, group, settings)
  cachedLimits.set(caller, { group, settings, limits })
  return limits
}

function findLimits(caller: Caller, group: string, settings: LimitSettings): CallerLimits | undefined {
  // A token of the group `auto` is exempt when its owner is.
  const counted = isAutoGroup(settings, group) ? caller.userGroup : group
  if (settings['global.rate_limit_exempt_enabled'] && settings['global.rate_limit_exempt_group'] === counted) {
    return undefined
  }
  const { tokenId, userId, rateLimit, tokensPerMinute, maxConcurrency } = caller
  const owner = `${TOKEN}${tokenId}`
  const windows = [
    ...(rateLimit ? [windowsOf(owner, rateLimit)] : []),
    ...(settings.ModelRequestRateLimitEnabled ? [windowsOf(`${USER}${userId}`, perUser(settings))] : []),
  ]
  const requests = windows.flatMap((window) => window.requests)
  const successes = windows.flatMap((window) => window.successes)
  const limits: CallerLimits = {
    requests: [...requests.map((budget) => ({ ...budget, standing: true })), ...successes],
    successes,
    ...(tokensPerMinute && { tokens: { key: `${owner}:tokens`, limit: tokensPerMinute, windowSeconds: 60 } }),
    ...(maxConcurrency && { concurrency: { key: concurrencyLimit(caller), limit: maxConcurrency } }),
  }
  const isLimited = limits.requests.length > 0 || limits.tokens || limits.concurrency
  return isLimited ? limits : undefined
}

/** Requests without a token are counted by user. */
function concurrencyLimit({ tokenId, userId }: Caller): string {
  return tokenId === 0 ? `${PLAYGROUND}${userId}` : `${TOKEN}${tokenId}`
}

/** Whether a budget belongs to a token, and not to its owner. */
export function isTokenLimit(key: string): boolean {
  return key.startsWith(TOKEN)
}

function windowsOf(owner: string, { windowSeconds, requests, successes }: RateLimit) {
  const budget = (name: string, limit: number): Budget[] =>
    windowSeconds > 0 && limit > 0 ? [{ key: `${owner}:${name}`, limit, windowSeconds }] : []
  return { requests: budget('requests', requests), successes: budget('successes', successes) }
}

function perUser(settings: LimitSettings): RateLimit {
  return {
    windowSeconds: settings.ModelRequestRateLimitDurationMinutes * 60,
    requests: settings.ModelRequestRateLimitCount,
    successes: settings.ModelRequestRateLimitSuccessCount,
  }
}
