import { api, ApiError, MAX_QUOTA } from '@tidegate/contract'
import { type RedemptionRow, type Vault, VaultError } from '@tidegate/storage'

/** Field rules for new and changed codes. */

export function checkName(input: string): string {
  const name = input.trim()
  const length = [...name].length
  if (length < 1 || length > api.REDEMPTION_LIMITS.name || /\p{Cc}/u.test(name))
    throw new ApiError('redemption_name_invalid')
  return name
}

export function checkQuota(quota: number): number {
  const good = Number.isSafeInteger(quota) && quota >= 1 && quota <= MAX_QUOTA
  if (!good) throw new ApiError('quota_invalid', { min: 1, max: MAX_QUOTA })
  return quota
}

export function checkUses(uses: number): number {
  const good =
    Number.isInteger(uses) && (uses === api.UNLIMITED_USES || (uses >= 1 && uses <= api.REDEMPTION_LIMITS.uses))
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

/** End of the year 9999; later times are typing errors. */
const LAST_SECOND = 253_402_300_799

export function codeView(vault: Vault, row: RedemptionRow): api.Redemption {
  return { ...codeFields(row), key: openKey(vault, row) }
}

/** Blank when the sealed copy cannot be opened; the code itself still works. */
function openKey(vault: Vault, { key, key_hash, sealed_key }: RedemptionRow): string {
  if (key !== null) return key
  try {
    return vault.open('redemption-code', key_hash ?? '', sealed_key ?? '')
  } catch (error) {
    if (error instanceof VaultError) return ''
    throw error
  }
}

/** Everything but the key. */
export function codeFields(row: RedemptionRow): Omit<api.Redemption, 'key'> {
  return {
    id: row.id,
    user_id: row.created_by,
    status: row.status,
    name: row.name,
    quota: row.quota,
    is_gift: row.is_gift,
    max_uses: row.max_uses,
    used_count: row.used_count,
    created_time: seconds(row.created_at),
    redeemed_time: seconds(row.redeemed_at),
    used_user_id: row.used_user_id ?? 0,
    valid_from: seconds(row.valid_from),
    valid_until: seconds(row.valid_until),
  }
}

function seconds(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000)
}
