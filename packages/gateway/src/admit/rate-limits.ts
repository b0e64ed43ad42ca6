import { Refusal, type Settings } from '@tidegate/contract'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Budget, Limiter } from '../ports.ts'

/** A call's place within its caller's limits. */
export interface Slots {
  /** The call was not answered: it does not count as a success. */
  giveBack(): Promise<void>
}

const NO_SLOTS: Slots = { giveBack: () => Promise.resolve() }

type LimitSettings = Pick<
  Settings,
  | 'ModelRequestRateLimitEnabled'
  | 'ModelRequestRateLimitCount'
  | 'ModelRequestRateLimitSuccessCount'
  | 'ModelRequestRateLimitDurationMinutes'
  | 'global.rate_limit_exempt_enabled'
  | 'global.rate_limit_exempt_group'
>

/**
 * Takes a place for a call. One that may still succeed holds its place among the successes, so that a burst cannot
 * overshoot the limit while its answers are on their way.
 */
export async function takeSlots(
  limiter: Limiter | undefined,
  caller: Caller,
  group: string,
  settings: LimitSettings,
): Promise<Slots> {
  if (!limiter || isExempt(group, settings)) return NO_SLOTS
  const { requests, successes } = budgetsOf(caller, settings)
  if (requests.length + successes.length === 0) return NO_SLOTS
  const counted = await limiter.take(requests)
  if (!counted.allowed) throw refusal(counted)
  const held = await limiter.take(successes)
  if (!held.allowed) throw refusal(held)
  return { giveBack: () => limiter.giveBack(successes) }
}

function isExempt(group: string, settings: LimitSettings): boolean {
  return settings['global.rate_limit_exempt_enabled'] && settings['global.rate_limit_exempt_group'] === group
}

function budgetsOf({ tokenId, userId, rateLimit }: Caller, settings: LimitSettings) {
  const requests: Budget[] = []
  const successes: Budget[] = []
  const add = (owner: string, limit: { windowSeconds: number; requests: number; successes: number }) => {
    const { windowSeconds } = limit
    if (windowSeconds <= 0) return
    if (limit.requests > 0) requests.push({ key: `${owner}:requests`, limit: limit.requests, windowSeconds })
    if (limit.successes > 0) successes.push({ key: `${owner}:successes`, limit: limit.successes, windowSeconds })
  }
  if (rateLimit) add(`${TOKEN}${tokenId}`, rateLimit)
  if (settings.ModelRequestRateLimitEnabled) {
    add(`${USER}${userId}`, {
      windowSeconds: settings.ModelRequestRateLimitDurationMinutes * 60,
      requests: settings.ModelRequestRateLimitCount,
      successes: settings.ModelRequestRateLimitSuccessCount,
    })
  }
  return { requests, successes }
}

const TOKEN = 'calls:token:'
const USER = 'calls:user:'

function refusal({ key, retryAfterSeconds }: { key: string; retryAfterSeconds: number }): Refusal {
  const code = key.startsWith(TOKEN) ? 'token_rate_limited' : 'model_rate_limited'
  return new Refusal(code, { seconds: retryAfterSeconds }, { retryAfterSeconds })
}
