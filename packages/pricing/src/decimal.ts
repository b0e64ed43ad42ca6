/** Twelve decimal places: more than any ratio or price is written with. */
const PLACES = 12
const ONE = 10n ** BigInt(PLACES)
const SCALES = [0n, 1n, 2n, 3n, 4n, 5n, 6n].map((factors) => ONE ** factors)

/** A non-negative decimal as a whole number of 1e-12, exact to how the number is written: 0.1 is 0.1. */
export type Fixed = bigint

/** A product that still carries the scale of each of its factors; only rounding takes it off. */
export interface Product {
  readonly value: bigint
  readonly factors: number
}

/**
 * What has more than twelve decimals is rounded up: a third or a tenth of a billionth is then never free, and an exact
 * half that came of thirds stays one (75 × 4/3 is not a hair under 100).
 */
export function toFixed(value: number): Fixed {
  const known = cache.get(value)
  if (known !== undefined) return known
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`not a price or ratio: ${value}`)
  const fixed = Number.isSafeInteger(value) ? BigInt(value) * ONE : parseDigits(value)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(value, fixed)
  return fixed
}

/** A site has some thousand ratios and prices, and every call is billed by a few of them. */
const MAX_CACHED = 10_000
const cache = new Map<number, Fixed>()

function parseDigits(value: number): Fixed {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const places = fraction.length - Number(exponent)
  const scaled = BigInt(whole + fraction)
  if (places <= PLACES) return scaled * 10n ** BigInt(PLACES - places)
  const excess = 10n ** BigInt(places - PLACES)
  return (scaled + excess - 1n) / excess
}

/** Ones are left out: they change nothing, and most ratios are 1. */
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

/** The one rounding of a bill: half up, at the end. */
export function roundHalfUp({ value, factors }: Product): bigint {
  const unit = scaleOf(factors)
  return (value * 2n + unit) / (unit * 2n)
}

export function roundUp({ value, factors }: Product): bigint {
  const unit = scaleOf(factors)
  return (value + unit - 1n) / unit
}

/** As a number again, to show; twelve decimals. */
export function toNumber({ value, factors }: Product): number {
  const fixed = (value * ONE) / scaleOf(factors)
  return Number(`${fixed / ONE}.${String(fixed % ONE).padStart(PLACES, '0')}`)
}

/** As a number that is not below the product by more than the thirteenth decimal: a bill is computed from it again. */
export function toRate(product: Product): number {
  const shown = toNumber(product)
  const exact = product.value * ONE
  if (toFixed(shown) * scaleOf(product.factors) >= exact) return shown
  return shown === 0 ? 10 ** -PLACES : shown * (1 + Number.EPSILON)
}

function scaleOf(factors: number): bigint {
  return SCALES[factors] ?? ONE ** BigInt(factors)
}
