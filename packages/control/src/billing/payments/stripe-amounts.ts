import { STRIPE_CURRENCIES } from '@tidegate/contract'

/** Money with two decimals in the units of Stripe's API. */
export function toMinor(money: string, currency: string): number {
  const hundredths = BigInt(money.replace('.', ''))
  return Number((hundredths * 10n ** BigInt(exponentOf(currency))) / 100n)
}

/** Blank for an amount that no order of this site can have. */
export function fromMinor(amount: number | null, currency: string): string {
  if (amount === null || !Number.isSafeInteger(amount) || amount < 0) return ''
  const exponent = BigInt(exponentOf(currency))
  const hundredths = BigInt(amount) * 100n
  if (hundredths % 10n ** exponent !== 0n) return ''
  const digits = String(hundredths / 10n ** exponent).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function exponentOf(currency: string): number {
  return STRIPE_CURRENCIES.get(currency.toLowerCase())?.exponent ?? 2
}
