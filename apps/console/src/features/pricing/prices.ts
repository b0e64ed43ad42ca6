import type { PricedModel } from '@tidegate/contract/api'
import { dollars } from '../../lib/format.ts'

/** A ratio of 1 is this many dollars for a million tokens. */
const DOLLARS_PER_RATIO = 2
const DECIMALS = 3

/** What a million tokens cost in a group, in dollars. */
export interface TokenPrices {
  input: number
  output: number
  /** Missing where cached input is no cheaper. */
  cached?: number
}

type Ratios = Pick<PricedModel, 'model_ratio' | 'completion_ratio' | 'cache_ratio'>

export function tokenPrices({ model_ratio, completion_ratio, cache_ratio }: Ratios, groupRatio: number): TokenPrices {
  const input = model_ratio * DOLLARS_PER_RATIO * groupRatio
  return {
    input,
    output: input * completion_ratio,
    ...(cache_ratio !== undefined && { cached: input * cache_ratio }),
  }
}

/** What one call costs in a group, in dollars. */
export const callPrice = ({ model_price }: Pick<PricedModel, 'model_price'>, groupRatio: number): number =>
  model_price * groupRatio

export const isPerCall = ({ quota_type }: Pick<PricedModel, 'quota_type'>): boolean => quota_type === 1

/** `$2.500`; what is dear enough to be charged never reads as free. */
export const formatPrice = (amount: number): string => dollars(amount, DECIMALS, DECIMALS)

/** A ratio as it was set, without the dust of binary fractions. */
export const formatRatio = (ratio: number): string => String(Number(ratio.toPrecision(10)))

/** `128K`, `1M`: in thousands, or in 1024s where the vendor counts in them and not in thousands. */
export function formatLimit(tokens: number): string {
  const step = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000
  if (tokens < step) return String(tokens)
  return tokens >= step * step ? `${short(tokens / (step * step))}M` : `${short(tokens / step)}K`
}

const short = (value: number) => String(Math.round(value * 10) / 10)

/**
 * The group a model is priced in: the one that was chosen, else the reader's own, else the first that has the model.
 */
export function priceGroup({ enable_groups: groups }: Pick<PricedModel, 'enable_groups'>, wished: readonly string[]) {
  return wished.find((group) => groups.includes(group)) ?? groups[0] ?? ''
}
