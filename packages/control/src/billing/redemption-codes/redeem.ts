import { ApiError } from '@tidegate/contract'
import { redeemCode } from '@tidegate/ledger'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { addressLimits } from '../../http/rate-limits.ts'

/** Wrong codes per address before it must wait; an office may share one. */
const ADDRESS_LIMIT = { limit: 30, windowSeconds: 600 }

/**
 * Redeems a code. A wrong code delays the user's next attempt increasingly and counts against the address. The attempt
 * is counted first, so parallel guesses gain nothing.
 */
export async function redeem(
  { db, vault, limiter, catalog, now }: Pick<Deps, 'db' | 'vault' | 'limiter' | 'catalog' | 'now'>,
  actor: Actor,
  input: string,
  { clientIp }: Origin,
): Promise<{ quota: number; is_gift: boolean }> {
  const key = input.trim()
  if (key === '') throw new ApiError('redemption_required')
  const userKey = `account:redeem:${actor.id}` as const
  const address = addressLimits('redeem:address', clientIp, ADDRESS_LIMIT)
  const seconds = Math.ceil(await limiter.takeAttempt(userKey))
  if (seconds > 0) throw delayError(seconds)
  const taken = await limiter.take(address)
  if (!taken.allowed) throw delayError(Math.ceil(taken.retryAfterSeconds))

  let guessed = false
  try {
    const { settings } = catalog()
    const keyHashes = vault.keyedHashes('redemption-code', key)
    const { quota, isGift } = await redeemCode(db, { userId: actor.id, key, keyHashes, now: now(), settings })
    await limiter.clearFailures(userKey)
    return { quota, is_gift: isGift }
  } catch (error) {
    guessed = error instanceof ApiError && error.code === 'redemption_invalid'
    throw error
  } finally {
    if (!guessed) await limiter.refund(address)
  }
}

function delayError(seconds: number): ApiError {
  return new ApiError('redemption_delayed', { seconds }, { retryAfterSeconds: seconds })
}
