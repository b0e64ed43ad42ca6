import { UNLIMITED_USES } from '@tidegate/contract/api'
import type { NewCouponValues } from './coupon-values.ts'

/** The most that codes can pay out together: null where there is no limit, undefined where nothing can be said yet. */
export function worthOf(values: Partial<NewCouponValues>): number | null | undefined {
  const { quota, is_gift: isGift = false, max_uses: most, key = '', count } = values
  const codes = key.trim() === '' ? count : 1
  const uses = isGift ? most : 1
  if (uses === UNLIMITED_USES) return null
  if (!quota || !codes || !uses || quota < 0 || codes < 0 || uses < 0) return undefined
  return quota * codes * uses
}
