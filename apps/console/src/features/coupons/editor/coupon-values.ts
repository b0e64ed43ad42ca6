import { UNLIMITED_USES, type NewRedemptions, type Redemption, type RedemptionEdit } from '@tidegate/contract/api'
import dayjs, { type Dayjs } from 'dayjs'
import { compact, formatBalance, formatCallPrice, moneyRules } from '../../../lib/format.ts'
import { LONGEST_NAME } from './coupon-rules.ts'

/** What the edit form collects. */
export interface CouponValues {
  name: string
  quota: number | null
  is_gift: boolean
  /** Absent while the code is not a gift. */
  max_uses?: number | null
  from: Dayjs | null
  until: Dayjs | null
}

export interface NewCouponValues extends CouponValues {
  key: string
  count: number | null
}

export const BLANK: NewCouponValues = {
  name: '',
  quota: 100_000,
  is_gift: false,
  max_uses: UNLIMITED_USES,
  from: null,
  until: null,
  key: '',
  count: 1,
}

export const valuesOf = (coupon: Redemption): CouponValues => ({
  name: coupon.name,
  quota: coupon.quota,
  is_gift: coupon.is_gift,
  max_uses: coupon.max_uses,
  from: timeOf(coupon.valid_from),
  until: timeOf(coupon.valid_until),
})

export function newCoupons(values: NewCouponValues): NewRedemptions {
  const key = values.key.trim()
  const quota = values.quota ?? 0
  return {
    name: values.name.trim() || nameFor(quota),
    quota,
    count: key === '' ? (values.count ?? 1) : 1,
    ...giftOf(values),
    ...windowOf(values),
    ...(key !== '' && { key }),
  }
}

/** What a code is worth, and to how many, is fixed once somebody has used it, so it does not travel then. */
export function editOf({ id, used_count: uses }: Redemption, values: CouponValues): RedemptionEdit {
  return {
    id,
    name: values.name.trim(),
    ...(uses === 0 && { quota: values.quota ?? 0, ...giftOf(values) }),
    ...windowOf(values),
  }
}

/** What codes are called that nobody named: what they are worth. */
export function nameFor(quota: number, rules = moneyRules()): string {
  const isBelowCent = quota * 100 < rules.quotaPerUnit
  const name = isBelowCent ? formatCallPrice(quota, rules) : formatBalance(quota, rules)
  return name.length <= LONGEST_NAME ? name : compact(quota)
}

function giftOf({ is_gift, max_uses }: CouponValues) {
  return { is_gift, max_uses: is_gift ? (max_uses ?? UNLIMITED_USES) : UNLIMITED_USES }
}

function windowOf({ from, until }: CouponValues) {
  return { valid_from: from?.unix() ?? 0, valid_until: until?.unix() ?? 0 }
}

function timeOf(seconds: number): Dayjs | null {
  return seconds === 0 ? null : dayjs.unix(seconds)
}
