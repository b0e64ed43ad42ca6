/** Twelve decimal places: more than any ratio or price is written with. */
const PLACES = 12
export const ONE = 10n ** BigInt(PLACES)

/** A non-negative decimal as a whole number of 1e-12, exact to how the number is written: 0.1 is 0.1. */
export type Fixed = bigint

export function toFixed(value: number): Fixed {
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`not a price or ratio: ${value}`)
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const places = fraction.length - Number(exponent)
  const scaled = BigInt(whole + fraction)
  return places <= PLACES ? scaled * 10n ** BigInt(PLACES - places) : scaled / 10n ** BigInt(places - PLACES)
}

/** The one rounding of a bill: half up, at the end. `factors` is how many fixed-point numbers were multiplied. */
export function roundHalfUp(product: bigint, factors: number): number {
  const scale = ONE ** BigInt(factors)
  return toSafeInteger((product * 2n + scale) / (scale * 2n))
}

export function roundDown(product: bigint, factors: number): number {
  return toSafeInteger(product / ONE ** BigInt(factors))
}

function toSafeInteger(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('the amount is too large to bill')
  return number
}
