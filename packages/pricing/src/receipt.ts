import { ONE, roundDown, roundHalfUp, toFixed, type Fixed } from './decimal.ts'
import type { ModelPrice, TokenPrice } from './price-book.ts'
import { completionTokens, promptTokens, type Usage } from './usage.ts'

/** One factor of a bill: this many of that, each at so many times the price of an input token. */
export interface ReceiptLine {
  readonly item: Exclude<keyof Usage, 'estimated'> | 'call'
  readonly count: number
  readonly ratio: number
}

/** A bill with every factor in it, so that anybody can compute it again. */
export interface Receipt {
  readonly quota: number
  readonly price: ModelPrice
  readonly lines: readonly ReceiptLine[]
  readonly estimated: boolean
}

export function computeReceipt(price: ModelPrice, usage: Usage): Receipt {
  const used = promptTokens(usage) + completionTokens(usage) > 0
  const lines = price.kind === 'call' ? callLines(used) : tokenLines(price, usage)
  return { quota: used ? quotaFor(price, lines) : 0, price, lines, estimated: usage.estimated }
}

/** Credit to hold before the call: what its prompt and its stated maximum would cost as input tokens. */
export function estimateReserve(
  price: ModelPrice,
  {
    promptTokens,
    maxTokens,
    preConsumedTokens,
  }: { promptTokens: number; maxTokens: number; preConsumedTokens: number },
): number {
  const perUnit = unitPrice(price)
  if (perUnit === 0n) return 0
  const units = price.kind === 'call' ? 1 : maxTokens > 0 ? promptTokens + maxTokens : preConsumedTokens
  return Math.max(1, roundDown(BigInt(units) * perUnit, UNIT_FACTORS))
}

function callLines(used: boolean): ReceiptLine[] {
  return used ? [{ item: 'call', count: 1, ratio: 1 }] : []
}

function tokenLines(price: TokenPrice, usage: Usage): ReceiptLine[] {
  const lines: ReceiptLine[] = [
    { item: 'input', count: usage.input, ratio: 1 },
    { item: 'cacheRead', count: usage.cacheRead, ratio: price.cacheRatio },
    { item: 'cacheWrite5m', count: usage.cacheWrite5m, ratio: price.cacheWriteRatio },
    { item: 'cacheWrite1h', count: usage.cacheWrite1h, ratio: price.cacheWrite1hRatio },
    { item: 'image', count: usage.image, ratio: 1 },
    { item: 'audioIn', count: usage.audioIn, ratio: price.audioRatio },
    { item: 'output', count: usage.output, ratio: price.completionRatio },
    { item: 'reasoning', count: usage.reasoning, ratio: price.completionRatio },
    { item: 'audioOut', count: usage.audioOut, ratio: price.audioRatio * price.audioCompletionRatio },
  ]
  return lines.filter(({ count }) => count > 0)
}

function quotaFor(price: ModelPrice, lines: readonly ReceiptLine[]): number {
  const perUnit = unitPrice(price)
  if (perUnit === 0n) return 0 // a ratio or price of zero is free
  const units = lines.reduce((sum, { count, ratio }) => sum + BigInt(count) * toFixed(ratio), 0n)
  return Math.max(1, roundHalfUp(units * perUnit, UNIT_FACTORS + 1))
}

/** How many fixed-point factors `unitPrice` multiplies. */
const UNIT_FACTORS = 3

/** What one unit (an input token, or a call) costs in quota. */
function unitPrice(price: ModelPrice): Fixed {
  const base =
    price.kind === 'call' ? toFixed(price.callPrice) * toFixed(price.quotaPerUnit) : toFixed(price.modelRatio) * ONE
  return base * toFixed(price.groupRatio)
}
