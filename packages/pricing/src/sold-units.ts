import { Refusal } from '@tidegate/contract'
import { imagePriceOf } from './image-price.ts'
import { priceOf, type PriceBook } from './price-book.ts'
import { computeReceipt } from './receipt.ts'
import type { LoggedCall } from './recompute.ts'
import { NO_USAGE } from './usage.ts'

/** What calls sold, in the units any price counts. Sums of them can be priced again by another book. */
export interface SoldUnits {
  /** Calls that used anything, other than those that made pieces. */
  readonly calls: number
  /** Images and tasks, each as many as its size and quality make it worth. */
  readonly pieces: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly audioIn: number
  readonly output: number
  readonly audioOut: number
}

/** Read off what `logFactors` wrote. What a row does not tell apart was sold as plain input and output. */
export function soldUnits({ promptTokens, completionTokens, other }: LoggedCall): SoldUnits {
  const read = (key: string, absent = 0) => (typeof other[key] === 'number' ? other[key] : absent)
  const pieces = read('pieces') * read('image_size_ratio', 1) * read('image_quality_ratio', 1)
  const cacheRead = read('cache_tokens')
  const writes = read('cache_creation_tokens')
  const cacheWrite1h = Math.min(writes, read('cache_creation_1h_tokens'))
  const audioIn = read('audio_input')
  const audioOut = read('audio_output')
  return {
    calls: pieces === 0 && promptTokens + completionTokens > 0 ? 1 : 0,
    pieces,
    input: pieces > 0 ? 0 : Math.max(0, promptTokens - cacheRead - writes - audioIn),
    cacheRead,
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
    audioIn,
    output: Math.max(0, completionTokens - audioOut),
    audioOut,
  }
}

/**
 * What these units come to by a book: exact but for the rounding of each single call. Undefined when the book has no
 * price for the name.
 */
export function costOfUnits(
  book: PriceBook,
  { priceName, group }: { priceName: string; group: string },
  { calls, pieces, ...tokens }: SoldUnits,
): number | undefined {
  const question = { modelName: priceName, upstreamName: priceName, group, acceptUnset: false }
  try {
    const price = priceOf(book, question)
    const ofCalls =
      price.kind === 'token'
        ? computeReceipt(price, { ...NO_USAGE, ...tokens }).quota
        : calls * price.callPrice * price.quotaPerUnit * price.groupRatio
    if (pieces === 0) return Math.round(ofCalls)
    const piece = imagePriceOf(book, question, {})
    const perPiece = piece.callPrice * (piece.image?.modelRatio ?? 1) * piece.quotaPerUnit * piece.groupRatio
    return Math.round(ofCalls + pieces * perPiece)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
