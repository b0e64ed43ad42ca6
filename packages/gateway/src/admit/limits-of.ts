import type { Settings } from '@tidegate/contract'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Budget, Place, RateLimit } from '../ports.ts'

/** Everything that limits a caller. */
export interface CallerLimits {
  /** Every call counts, also the refused ones. */
  readonly requests: readonly Budget[]
  /** Calls that were answered. */
  readonly successes: readonly Budget[]
  /** Model tokens. */
  readonly tokens?: Budget
  readonly places?: Omit<Place, 'holder'>
}

export type LimitSettings = Pick<
  Settings,
  | 'ModelRequestRateLimitEnabled'
  | 'ModelRequestRateLimitCount'
  | 'ModelRequestRateLimitSuccessCount'
  | 'ModelRequestRateLimitDurationMinutes'
  | 'global.rate_limit_exempt_enabled'
  | 'global.rate_limit_exempt_group'
>

const TOKEN = 'calls:token:'
const USER = 'calls:user:'
const PLAYGROUND = 'calls:playground:'

/** Of the token, and of its owner where the operator limits all users. Undefined when nothing limits the caller. */
export function limitsOf(caller: Caller, group: string, settings: LimitSettings): CallerLimits | undefined {
  if (settings['global.rate_limit_exempt_enabled'] && settings['global.rate_limit_exempt_group'] === group) {
    return undefined
  }
  const { tokenId, userId, rateLimit, tokensPerMinute, maxConcurrency } = caller
  const owner = `${TOKEN}${tokenId}`
  const windows = [
    ...(rateLimit ? [windowsOf(owner, rateLimit)] : []),
    ...(settings.ModelRequestRateLimitEnabled ? [windowsOf(`${USER}${userId}`, perUser(settings))] : []),
  ]
  const limits: CallerLimits = {
    requests: windows.flatMap(({ requests }) => requests),
    successes: windows.flatMap(({ successes }) => successes),
    ...(tokensPerMinute && { tokens: { key: `${owner}:tokens`, limit: tokensPerMinute, windowSeconds: 60 } }),
    ...(maxConcurrency && { places: { key: placesOf(caller), limit: maxConcurrency } }),
  }
  const isLimited = limits.requests.length > 0 || limits.successes.length > 0 || limits.tokens || limits.places
  return isLimited ? limits : undefined
}

/** Calls without a token are counted by whose they are. */
function placesOf({ tokenId, userId }: Caller): string {
  return tokenId === 0 ? `${PLAYGROUND}${userId}` : `${TOKEN}${tokenId}`
}

/** Whether a budget is of a token, and not of its owner. */
export function isOfToken(key: string): boolean {
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
