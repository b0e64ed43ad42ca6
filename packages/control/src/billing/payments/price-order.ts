import { MAX_QUOTA, ApiError, type Settings } from '@tidegate/contract'
import type { Price } from './provider.ts'

export interface PricedOrder {
  quota: number
  /** Dollars, with six decimals. */
  units: string
  /** With two decimals. */
  money: string
}

type PriceSettings = Pick<Settings, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'MinTopUp' | 'TopupGroupRatio'>

/** Minimum amount in the unit of the site: dollars, or points. */
export function minimumAmount({ MinTopUp, DisplayInCurrencyEnabled, QuotaPerUnit }: PriceSettings): number {
  return DisplayInCurrencyEnabled ? MinTopUp : Math.ceil(MinTopUp * QuotaPerUnit)
}

/** Value and price of an amount. Integer arithmetic; the money is rounded once, half up, at the end. */
export function priceOrder(
  amount: unknown,
  { price, group, settings }: { price: Price; group: string; settings: PriceSettings },
): PricedOrder {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0) {
    throw new ApiError('payment_amount_invalid')
  }
  const min = minimumAmount(settings)
  if (amount < min) throw new ApiError('payment_below_minimum', { min })
  const { DisplayInCurrencyEnabled: inDollars, QuotaPerUnit } = settings
  const quota = inDollars ? Math.round(amount * QuotaPerUnit) : amount
  if (quota > MAX_QUOTA) throw new ApiError('payment_too_large')

  const perUnit = inDollars ? ONE : toBillionths(QuotaPerUnit)
  const ratio = settings.TopupGroupRatio[group] || 1 // a ratio of 0 means none was set
  const units = { top: BigInt(amount) * ONE, bottom: perUnit }
  const smallest = 10n ** BigInt(2 - price.decimals) // in hundredths: 1, or 100 for currencies without decimals
  const paid = divide(
    units.top * toBillionths(price.perDollar) * toBillionths(ratio) * 100n,
    units.bottom * ONE * ONE * smallest,
  )
  const hundredths = paid * smallest
  if (hundredths <= 1n) throw new ApiError('payment_too_small')
  return { quota, units: decimal(divide(units.top * 1_000_000n, units.bottom), 6), money: decimal(hundredths, 2) }
}

const PLACES = 9
const ONE = 10n ** BigInt(PLACES)

/** A decimal number in billionths. */
function toBillionths(value: number): bigint {
  const [whole = '0', fraction = ''] = value.toFixed(PLACES).split('.')
  return BigInt(whole + fraction)
}

/** Rounds half up. */
function divide(top: bigint, bottom: bigint): bigint {
  return (top * 2n + bottom) / (bottom * 2n)
}

function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
