import type { Endpoint } from '@tidegate/contract'
import type { Check } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Origin } from './actor.ts'
import { addressLimits } from './address-limits.ts'
import { tooMany } from './too-many.ts'

/** Guards credentials and mail: one budget per address and purpose, so that one purpose cannot starve another. */
export async function spendCriticalBudget(
  { limiter }: Pick<Deps, 'limiter'>,
  endpoint: Endpoint,
  origin: Origin,
): Promise<void> {
  const verdict = await limiter.take(budgetsOf(endpoint, origin))
  if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds)
}

/** For calls that turned out to be right: a whole office behind one address may sign in on a Monday morning. */
export async function restoreCriticalBudget(
  { limiter }: Pick<Deps, 'limiter'>,
  endpoints: readonly Endpoint[],
  origin: Origin,
): Promise<void> {
  await limiter.giveBack(endpoints.flatMap((endpoint) => budgetsOf(endpoint, origin)))
}

function budgetsOf({ path }: Endpoint, { clientIp }: Origin): Check[] {
  return addressLimits(`critical:${path}`, clientIp, { limit: 20, windowSeconds: 1200 })
}
