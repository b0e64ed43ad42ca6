import type { PricedModel } from '@tidegate/contract/api'
import { dollars } from '../../lib/format.ts'

/** USD per 1M tokens at a ratio of 1. */
const DOLLARS_PER_RATIO = 2
const DECIMALS = 3

/** USD per 1M tokens in a group. */
export interface TokenPrices {
  input: number
  output: number
  /** Missing if cached input is not cheaper. */
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

/** USD per request in a group. */
export const callPrice = ({ model_price }: Pick<PricedModel, 'model_price'>, groupRatio: number): number =>
  model_price * groupRatio

/** The model costs fees, such as a price per second, and nothing per token. */
export const hasFeesOnly = ({ model_ratio: ratio, fees = {} }: Pick<PricedModel, 'model_ratio' | 'fees'>): boolean =>
  ratio === 0 && Object.keys(fees).length > 0

export const isPerCall = ({ quota_type }: Pick<PricedModel, 'quota_type'>): boolean => quota_type === 1

/** `$2.500`. Three decimals, as specified; a price above 0 never shows as 0. */
export const formatPrice = (amount: number): string => dollars(amount, DECIMALS, DECIMALS)

/** `$0.04`. */
export const formatCallPrice = (amount: number): string => dollars(amount, 2, 4)

/** A ratio without rounding errors of binary fractions. */
export const formatRatio = (ratio: number): string => String(Number(ratio.toPrecision(10)))

/** The group a model is priced in: the chosen one, else the user's own, else the first that serves the model. */
export function priceGroup({ enable_groups: groups }: Pick<PricedModel, 'enable_groups'>, wished: readonly string[]) {
  return wished.find((group) => groups.includes(group)) ?? groups[0] ?? ''
}
