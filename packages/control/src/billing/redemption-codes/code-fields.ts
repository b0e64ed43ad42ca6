import { api, MAX_QUOTA, ApiError } from '@tidegate/contract'

/** The rules of each field, for new codes and changed ones alike. */

export function checkName(given: string): string {
  const name = given.trim()
  const length = [...name].length
  if (length < 1 || length > 20 || /\p{Cc}/u.test(name)) throw new ApiError('redemption_name_invalid')
  return name
}

export function checkQuota(quota: number): number {
  const good = Number.isSafeInteger(quota) && quota >= 1 && quota <= MAX_QUOTA
  if (!good) throw new ApiError('quota_invalid', { min: 1, max: MAX_QUOTA })
  return quota
}

export function checkUses(uses: number): number {
  const good = Number.isInteger(uses) && (uses === api.UNLIMITED_USES || (uses >= 1 && uses <= MOST_USES))
  if (!good) throw new ApiError('redemption_uses_invalid')
  return uses
}

/** 0 leaves an end open. */
export function checkWindow(from: number, until: number): { valid_from: Date | null; valid_until: Date | null } {
  const valid_from = readTime(from)
  const valid_until = readTime(until)
  if (valid_from && valid_until && valid_from >= valid_until) throw new ApiError('redemption_window_invalid')
  return { valid_from, valid_until }
}

function readTime(seconds: number): Date | null {
  if (seconds === 0) return null
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > LAST_SECOND)
    throw new ApiError('redemption_window_invalid')
  return new Date(seconds * 1000)
}

const MOST_USES = 2_147_483_647
/** The end of the year 9999; past it a time is a typing mistake. */
const LAST_SECOND = 253_402_300_799
