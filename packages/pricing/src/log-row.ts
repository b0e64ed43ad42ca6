import type { TierConditions } from '@tidegate/contract'
import { multiply, times, toNumber } from './decimal.ts'
import type { CallPrice, ModelPrice, PriceBase } from './price.ts'
import { ratiosOf, type PriceRatios } from './ratios.ts'
import type { Receipt } from './receipt.ts'
import type { Usage } from './usage.ts'

/** What log rows show of a price: the same for all its requests, and plain data, so that a journal stores it once. */
export type PriceFactors = Omit<PriceBase, 'group'> &
  (
    | { readonly kind: 'token'; readonly ratios: PriceRatios }
    | ({ readonly kind: 'call' } & Pick<CallPrice, 'callPrice' | 'image'>)
  )

/** A receipt without its price, which its lines make unnecessary. */
export interface ReceiptData extends Pick<Receipt, 'quota' | 'lines' | 'tiers' | 'unpriced'> {
  readonly factors: PriceFactors
}

export function toReceiptData({ price, at, quota, lines, tiers, unpriced }: Receipt): ReceiptData {
  return { quota, lines, tiers, unpriced, factors: priceFactors(price, at) }
}

/** Cached by price, and by its ratios, which change with time. */
export function priceFactors(price: ModelPrice, at: Date): PriceFactors {
  const ratios = price.kind === 'token' ? ratiosOf(price, at) : undefined
  let known = cache.get(price)
  if (known?.ratios !== ratios || known === undefined)
    cache.set(price, (known = { ratios, factors: listFactors(price, ratios) }))
  return known.factors
}

const cache = new WeakMap<ModelPrice, { readonly ratios: PriceRatios | undefined; readonly factors: PriceFactors }>()

function listFactors(price: ModelPrice, ratios: PriceRatios | undefined): PriceFactors {
  const { priceName, groupRatio, userGroupRatio, quotaPerUnit, basis, version } = price
  const base = {
    priceName,
    groupRatio,
    quotaPerUnit,
    ...(userGroupRatio !== undefined && { userGroupRatio }),
    ...(basis !== undefined && { basis }),
    ...(version !== undefined && { version }),
  }
  if (price.kind === 'token') return { ...base, kind: 'token', ratios: ratios! }
  return { ...base, kind: 'call', callPrice: price.callPrice, ...(price.image && { image: price.image }) }
}

/**
 * The pricing fields of a log row: the lines, which `recompute` needs, and the factors of the base price under the
 * names of the specification.
 */
export function logFactors({ factors, lines, tiers, unpriced }: ReceiptData, usage: Usage): Record<string, unknown> {
  return {
    ...(factors.kind === 'token' ? tokenFactors(factors.ratios, usage) : callFactors(factors, usage)),
    ...baseFactors(factors),
    lines: lines.map(({ item, count, rate }) => [item, count, rate]),
    ...(tiers.length > 0 && { tiers }),
    ...(unpriced.length > 0 && { unpriced }),
    ...(usage.reasoning > 0 && { reasoning_tokens: usage.reasoning }),
    ...(usage.imageInput > 0 && { image_tokens: usage.imageInput }),
    ...(usage.estimated && { estimated: true }),
  }
}

function baseFactors({ groupRatio, userGroupRatio, quotaPerUnit, priceName, basis, version }: PriceFactors) {
  return {
    group_ratio: groupRatio,
    ...(userGroupRatio !== undefined && { user_group_ratio: userGroupRatio }),
    quota_per_unit: quotaPerUnit,
    price_name: priceName,
    ...(basis !== undefined && { price_basis: basis }),
    ...(version !== undefined && { price_version: version }),
  }
}

function tokenFactors(ratios: PriceRatios, usage: Usage) {
  const writes = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    model_price: -1,
    model_ratio: ratios.modelRatio,
    completion_ratio: ratios.completionRatio ?? 0,
    cache_tokens: usage.cacheRead,
    cache_ratio: ratios.cacheRatio,
    ...(writes > 0 && { cache_creation_tokens: writes, cache_creation_ratio: ratios.cacheWriteRatio }),
    ...(usage.cacheWrite1h > 0 && {
      cache_creation_1h_tokens: usage.cacheWrite1h,
      cache_creation_1h_ratio: ratios.cacheWrite1hRatio,
    }),
    ...(usage.audioInput + usage.audioCached + usage.audioOutput > 0 && {
      audio: true,
      audio_input: usage.audioInput + usage.audioCached,
      audio_output: usage.audioOutput,
      text_input: usage.input + usage.cacheRead,
      text_output: usage.output + usage.reasoning,
      audio_ratio: ratios.audioRatio,
      audio_completion_ratio: ratios.audioCompletionRatio,
    }),
  }
}

function callFactors({ callPrice, image }: Pick<CallPrice, 'callPrice' | 'image'>, usage: Usage) {
  const { pieces } = usage
  if (pieces === undefined) {
    return {
      model_price: callPrice,
      model_ratio: 0,
      completion_ratio: 0,
      cache_tokens: usage.cacheRead,
      cache_ratio: 0,
    }
  }
  if (!image) return { model_price: callPrice, pieces }
  return {
    // The price before the group ratio; its factors follow.
    model_price: toNumber(times(pieces, multiply(callPrice, image.modelRatio, image.sizeRatio, image.qualityRatio))),
    pieces,
    piece_price: callPrice,
    image_size: image.size,
    image_quality: image.quality,
    image_size_ratio: image.sizeRatio,
    image_quality_ratio: image.qualityRatio,
    image_model_ratio: image.modelRatio,
  }
}

/** The sentence in the log that explains the price. */
export function describePrice({ factors, quota, tiers }: ReceiptData, usage: Usage): string {
  let text = describeFactors(factors)
  if (tiers.length > 0) text += `; tier ${tiers.map(describeTier).join(', ')}`
  if (usage.estimated) text += '; tokens counted here, the upstream gave no counts'
  if (quota === 0 && usage.output + usage.input === 0) text += '; no tokens, possibly upstream timeout'
  return text
}

const sentences = new WeakMap<PriceFactors, string>()

/** Cached: one price serves many requests. */
function describeFactors(factors: PriceFactors): string {
  let sentence = sentences.get(factors)
  if (sentence === undefined)
    sentences.set(factors, (sentence = `${ofModel(factors)}, group ratio ${decimals(factors.groupRatio)}`))
  return sentence
}

function ofModel(factors: PriceFactors): string {
  if (factors.kind === 'call') return `model price ${decimals(factors.callPrice)}`
  const { modelRatio, completionRatio = 0 } = factors.ratios
  return `model ratio ${decimals(modelRatio)}, completion ratio ${decimals(completionRatio)}`
}

/** Two decimals, and more where the value has them: 0.075 is not 0.07. Six are enough for any price. */
function decimals(value: number): string {
  return value.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')
}

/** The conditions of a tier. */
function describeTier({ inputAbove, inclusive, ...named }: TierConditions): string {
  const parts = Object.values(named)
  if (inputAbove !== undefined) parts.unshift(`input ${inclusive ? 'from' : 'above'} ${inputAbove} tokens`)
  return parts.join(' ')
}

/** How a request was served, for its log row. */
export interface ServiceRecord {
  /** -1000 for a response that was not streamed. */
  readonly firstTokenMs: number
  /** Milliseconds by step. */
  readonly timing: Readonly<Partial<Record<string, number>>>
  /** In order, the one that served the request last. */
  readonly attempts: readonly { readonly channel: number }[]
  /** How the channel was chosen. */
  readonly decision: object
  /** Fields that few requests have, under their names in the log row. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** The fields of a log row: the factors of the price, enough to recompute it, and how the request was served. */
export function describeRequest(
  receipt: ReceiptData,
  usage: Usage,
  { firstTokenMs, timing, attempts, decision, details }: ServiceRecord,
): Record<string, unknown> {
  return {
    ...logFactors(receipt, usage),
    frt: firstTokenMs,
    timing,
    ...details,
    admin_info: { use_channel: attempts.map(({ channel }) => String(channel)), attempts, decision },
  }
}
