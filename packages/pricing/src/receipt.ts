import { add, multiply, roundHalfUp, scale, times, type Product } from './decimal.ts'
import type { CallPrice, ModelPrice, TokenPrice } from './price.ts'
import { assertCountable, completionTokens, promptTokens, type Usage, type UsageBucket } from './usage.ts'

/** One factor of a bill: this many of that, each at so many times the price of an input token, or of a piece. */
export interface ReceiptLine {
  readonly item: UsageBucket | 'call'
  readonly count: number
  readonly ratio: number
  /** A second ratio on top of the first. */
  readonly times?: number
}

/** A bill with every factor in it, so that anybody can compute it again. */
export interface Receipt {
  readonly quota: number
  readonly price: ModelPrice
  readonly lines: readonly ReceiptLine[]
  readonly estimated: boolean
}

/** Throws a RangeError for counts and prices that are none, and for an amount past the safe integers. */
export function computeReceipt(price: ModelPrice, usage: Usage): Receipt {
  assertCountable(usage)
  const used = promptTokens(usage) + completionTokens(usage) > 0
  const lines = !used ? [] : price.kind === 'call' ? callLines(price, usage) : tokenLines(price, usage)
  return { quota: used ? quotaFor(unitPrice(price), lines) : 0, price, lines, estimated: usage.estimated }
}

export function callLines({ image }: CallPrice, { pieces }: Pick<Usage, 'pieces'>): [ReceiptLine] {
  const ratios = image ? { ratio: image.sizeRatio, times: image.qualityRatio } : { ratio: 1 }
  return [{ item: pieces === undefined ? 'call' : 'pieces', count: pieces ?? 1, ...ratios }]
}

function tokenLines(price: TokenPrice, usage: Usage): ReceiptLine[] {
  // An image is not a token: it would be nearly free.
  if (usage.pieces !== undefined) throw new RangeError('pieces are not billed by tokens')
  const lines: ReceiptLine[] = []
  const add = (item: UsageBucket, count: number, ratio: number) => {
    if (count > 0) lines.push({ item, count, ratio })
  }
  add('input', usage.input, 1)
  add('cacheRead', usage.cacheRead, price.cacheRatio)
  add('cacheWrite5m', usage.cacheWrite5m, price.cacheWriteRatio)
  add('cacheWrite1h', usage.cacheWrite1h, price.cacheWrite1hRatio)
  add('image', usage.image, 1)
  add('audioIn', usage.audioIn, price.audioRatio)
  add('output', usage.output, price.completionRatio)
  add('reasoning', usage.reasoning, price.completionRatio)
  const { audioOut } = usage
  if (audioOut > 0) {
    lines.push({ item: 'audioOut', count: audioOut, ratio: price.audioRatio, times: price.audioCompletionRatio })
  }
  return lines
}

function quotaFor(perUnit: Product, lines: readonly ReceiptLine[]): number {
  if (perUnit.value === 0n) return 0 // a ratio or price of zero is free
  let units = NOTHING
  for (const line of lines) units = add(units, quantityOf(line))
  const quota = Number(roundHalfUp(scale(units, perUnit)))
  if (!Number.isSafeInteger(quota)) throw new RangeError('the amount is too large to bill')
  return Math.max(1, quota)
}

const NOTHING: Product = { value: 0n, factors: 0 }

/** A line in units of what `unitPrice` prices. */
export function quantityOf({ count, ratio, times: second = 1 }: ReceiptLine): Product {
  return times(count, multiply(ratio, second))
}

const unitPrices = new WeakMap<ModelPrice, Product>()

/** What one unit (an input token, a call or a piece) costs in quota; worked out once, for a price serves many calls. */
export function unitPrice(price: ModelPrice): Product {
  let known = unitPrices.get(price)
  if (!known) unitPrices.set(price, (known = computeUnitPrice(price)))
  return known
}

function computeUnitPrice(price: ModelPrice): Product {
  return price.kind === 'token'
    ? multiply(price.modelRatio, price.groupRatio)
    : multiply(price.callPrice, price.image?.modelRatio ?? 1, price.quotaPerUnit, price.groupRatio)
}
