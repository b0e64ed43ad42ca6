import { REDEMPTION_STATUS, UNLIMITED_USES, type Redemption } from '@tidegate/contract/api'

/** What became of a code, or what it is waiting for. */
export type CouponState = 'unused' | 'open' | 'notYet' | 'expired' | 'usedUp' | 'disabled' | 'used' | 'unknown'

type Facts = Pick<Redemption, 'status' | 'is_gift' | 'max_uses' | 'used_count' | 'valid_from' | 'valid_until'>

export function stateOf(coupon: Facts, now = Date.now() / 1000): CouponState {
  if (isUsedUpGift(coupon)) return 'usedUp'
  switch (coupon.status) {
    case REDEMPTION_STATUS.disabled:
      return 'disabled'
    case REDEMPTION_STATUS.used:
      return 'used'
    case REDEMPTION_STATUS.unused:
      if (coupon.valid_until !== 0 && coupon.valid_until <= now) return 'expired'
      if (coupon.valid_from > now) return 'notYet'
      return coupon.is_gift ? 'open' : 'unused'
    default:
      return 'unknown'
  }
}

/** Nobody can use it any more, unless somebody enables it. Time does not count: a window can be moved. */
export const isOutOfUse = (coupon: Facts): boolean => coupon.status !== REDEMPTION_STATUS.unused || isUsedUpGift(coupon)

function isUsedUpGift({ is_gift: isGift, max_uses: most, used_count: uses }: Facts): boolean {
  return isGift && most !== UNLIMITED_USES && uses >= most
}
