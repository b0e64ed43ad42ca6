/** Twelve decimal places: more than any ratio or price has. */
const PLACES = 12
const ONE = 10n ** BigInt(PLACES)
const SCALES = [0n, 1n, 2n, 3n, 4n, 5n, 6n].map((factors) => ONE ** factors)

/** A non-negative decimal as an integer multiple of 1e-12, exact to the decimal notation: 0.1 is 0.1. */
export type FixedPoint = bigint

/** A product that keeps the scale of each factor; only rounding removes it. */
export interface Product {
  readonly value: bigint
  readonly factors: number
}

/**
 * More than twelve decimals are rounded up. A tiny amount is then never free, and an exact half made of thirds stays a
 * half (75 × 4/3 is not just below 100).
 */
export function toFixed(value: number): FixedPoint {
  const known = cache.get(value)
  if (known !== undefined) return known
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`not a price or ratio: ${value}`)
  const fixed = Number.isSafeInteger(value) ? BigInt(value) * ONE : parseDigits(value)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(value, fixed)
  return fixed
}

/** A site has some thousand ratios and prices, and every request is billed by a few of them. */
const MAX_CACHED = 10_000
const cache = new Map<number, FixedPoint>()

function parseDigits(value: number): FixedPoint {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const places = fraction.length - Number(exponent)
  const scaled = BigInt(whole + fraction)
  if (places <= PLACES) return scaled * 10n ** BigInt(PLACES - places)
  const excess = 10n ** BigInt(places - PLACES)
  return (scaled + excess - 1n) / excess
}

/** Skips factors of 1, because most ratios are 1. */
export function multiply(...numbers: readonly number[]): Product {
  let value = 1n
  let factors = 0
  for (const number of numbers) {
    if (number === 1) continue
    value *= toFixed(number)
    factors += 1
  }
  return { value, factors }
}

/** The exact sum of products of any scale. */
export function add(one: Product, other: Product): Product {
  if (one.factors < other.factors) return add(other, one)
  return { value: one.value + other.value * scaleOf(one.factors - other.factors), factors: one.factors }
}

/** `count` times a product. */
export function times(count: number, { value, factors }: Product): Product {
  return { value: BigInt(count) * value, factors }
}

/** The product of both; neither loses a digit. */
export function scale(one: Product, other: Product): Product {
  return { value: one.value * other.value, factors: one.factors + other.factors }
}

/** The only rounding of a receipt: half up, at the end. */
export function roundHalfUp({ value, factors }: Product): bigint {
  const unit = scaleOf(factors)
  return (value * 2n + unit) / (unit * 2n)
}

export function roundUp({ value, factors }: Product): bigint {
  const unit = scaleOf(factors)
  return (value + unit - 1n) / unit
}

/** For display; twelve decimals. */
export function toNumber({ value, factors }: Product): number {
  const fixed = (value * ONE) / scaleOf(factors)
  return Number(`${fixed / ONE}.${String(fixed % ONE).padStart(PLACES, '0')}`)
}

/** A number that is at most 1e-13 below the product, because a receipt is recomputed from it. */
export function toRate(product: Product): number {
  const shown = toNumber(product)
  const exact = product.value * ONE
  if (toFixed(shown) * scaleOf(product.factors) >= exact) return shown
  return shown === 0 ? 10 ** -PLACES : shown * (1 + Number.EPSILON)
}

function scaleOf(factors: number): bigint {
  return SCALES[factors] ?? ONE ** BigInt(factors)
}
