import type { Settings } from './registry.ts'

type FallbackPrices = Pick<Settings, 'fallback_single_price' | 'fallback_input_ratio' | 'fallback_completion_ratio'>

/** A price per call and ratios at once: which one to bill by would be a guess. */
export function isFallbackMixed(prices: FallbackPrices): boolean {
  const byRatio = isSet(prices.fallback_input_ratio) || isSet(prices.fallback_completion_ratio)
  return isSet(prices.fallback_single_price) && byRatio
}

/** Either the single price alone, or both ratios together. */
export function isFallbackComplete(prices: FallbackPrices): boolean {
  if (isFallbackMixed(prices)) return false
  if (isSet(prices.fallback_single_price)) return true
  return isSet(prices.fallback_input_ratio) && isSet(prices.fallback_completion_ratio)
}

/** Zero is what a form sends for an emptied field, and must not make unknown models free. */
function isSet(figure: number | undefined): boolean {
  return figure !== undefined && figure > 0
}
