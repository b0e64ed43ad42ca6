import { FEES, ApiError, type Fee, type FeeCount, type ServiceTerms } from '@tidegate/contract'
import { imagePriceOf } from './image-price.ts'
import { priceOf, type PriceBook } from './price-book.ts'
import type { ModelPrice } from './price.ts'
import { computeReceipt } from './receipt.ts'
import { loggedCounts, loggedLines, type LoggedRequest } from './recompute.ts'
import { NO_USAGE, promptTokens as tokensRead, type Usage } from './usage.ts'

/** What requests sold, in the units of every kind of price. Sums can be priced again with other prices. */
export interface SoldUnits {
  /** Requests with any usage, except those with pieces. */
  readonly calls: number
  /** Images and tasks, weighted by size and quality. */
  readonly pieces: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly audioInput: number
  readonly output: number
  readonly audioOutput: number
}

/** Reads the fields that `logFactors` wrote. Tokens that a row does not break down count as plain input and output. */
export function readSoldUnits({ promptTokens, completionTokens, other }: LoggedRequest): SoldUnits {
  const read = (key: string, absent = 0) => (typeof other[key] === 'number' ? other[key] : absent)
  const pieces = read('pieces') * read('image_size_ratio', 1) * read('image_quality_ratio', 1)
  const cacheRead = read('cache_tokens')
  const writes = read('cache_creation_tokens')
  const cacheWrite1h = Math.min(writes, read('cache_creation_1h_tokens'))
  const audioInput = read('audio_input')
  const audioOutput = read('audio_output')
  return {
    calls: pieces === 0 && promptTokens + completionTokens > 0 ? 1 : 0,
    pieces,
    input: pieces > 0 ? 0 : Math.max(0, promptTokens - cacheRead - writes - audioInput),
    cacheRead,
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
    audioInput,
    output: Math.max(0, completionTokens - audioOutput),
    audioOutput,
  }
}

/**
 * The cost of units with other prices, without fees and service tiers, which are not recorded. Undefined if there is no
 * price.
 */
export function costOfUnits(
  book: PriceBook,
  { priceName, group }: { priceName: string; group: string },
  { calls, pieces, ...tokens }: SoldUnits,
  at: Date = new Date(),
): number | undefined {
  const query = { modelName: priceName, upstreamName: priceName, group, acceptUnset: false }
  try {
    const price = priceOf(book, query)
    // Tiers by input length use the average request, because single requests are not recorded.
    const sum = { ...NO_USAGE, ...tokens }
    const inputLength = Math.round(tokensRead(sum) / Math.max(1, calls))
    const usage: Usage = { ...sum, terms: { inputLength, fees: unitsOf(calls, tokens.input) } }
    const receipt = price.kind === 'token' ? computeReceipt(price, usage, at) : undefined
    if (receipt && receipt.unpriced.length > 0) return undefined
    const ofCalls = receipt?.quota ?? calls * perCall(price) * price.quotaPerUnit * price.groupRatio
    if (pieces === 0) return Math.round(ofCalls)
    const piece = imagePriceOf(book, query, {})
    const perPiece =
      piece.kind === 'call'
        ? piece.callPrice * (piece.image?.modelRatio ?? 1) * piece.quotaPerUnit * piece.groupRatio
        : computeReceipt(piece, { ...NO_USAGE, terms: { fees: [{ fee: 'image', count: 1 }] } }, at).quota
    return Math.round(ofCalls + pieces * perPiece)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * The cost of one logged request with other prices, including the tiers and fees of its receipt. Undefined if there is
 * no price. A service tier or fee that had no price then is not in the receipt, and not in the cost.
 */
export function costOfRequest(
  book: PriceBook,
  { priceName, group }: { priceName: string; group: string },
  row: LoggedRequest,
  at: Date,
): number | undefined {
  const lines = loggedLines(row)
  const units = readSoldUnits(row)
  if (!lines || units.pieces > 0) return costOfUnits(book, { priceName, group }, units, at)
  const { calls, pieces: _pieces, ...tokens } = units
  const counts = loggedCounts(lines) ?? tokens
  const counted = lines.flatMap(({ item, count }): FeeCount[] => {
    if (item === 'audioMinute') return [{ fee: 'audioSecond', count: count * 60 }]
    return FEES.includes(item as Fee) && item !== 'request' ? [{ fee: item as Fee, count }] : []
  })
  const others = unitsOf(calls, tokens.input).filter(({ fee }) => counted.every((one) => one.fee !== fee))
  const usage: Usage = { ...NO_USAGE, ...counts, terms: { ...servedTerms(row), fees: [...counted, ...others] } }
  try {
    const price = priceOf(book, { modelName: priceName, upstreamName: priceName, group, acceptUnset: false })
    const { quota, unpriced } = computeReceipt(price, usage, at)
    return unpriced.includes('output') ? undefined : quota
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** How the request was served, according to the tiers of its receipt. */
function servedTerms({ other: { tiers } }: LoggedRequest): ServiceTerms {
  const conditions = Array.isArray(tiers) ? (tiers as Partial<Record<string, unknown>>[]) : []
  const termOf = (name: 'serviceTier' | 'speed' | 'region') => {
    const value = conditions.find((when) => typeof when[name] === 'string')?.[name]
    return value === undefined ? {} : { [name]: value as string }
  }
  return { ...termOf('serviceTier'), ...termOf('speed'), ...termOf('region') }
}

function perCall(price: ModelPrice): number {
  return price.kind === 'call' ? price.callPrice : 0
}

/** Units of models that are not sold by tokens, derived from the recorded tokens. */
function unitsOf(calls: number, input: number): FeeCount[] {
  return [
    { fee: 'character', count: input },
    { fee: 'audioSecond', count: (input * 60) / TOKENS_PER_MINUTE },
    { fee: 'search', count: calls },
    { fee: 'request', count: calls },
  ]
}

const TOKENS_PER_MINUTE = 1000
