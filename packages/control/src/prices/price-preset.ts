import { DEFAULT_PRICES, DEFAULT_PRICES_VERSION, presetPrices, type api } from '@tidegate/contract'
import { builtInCompletionRatio } from '@tidegate/pricing'

/** A price list that comes with the product, as the options hold prices. */
export function pricePreset(source: api.PriceSource): api.PricePreset {
  const head = { source, version: DEFAULT_PRICES_VERSION }
  if (source === 'legacy') {
    return { ...head, model_price: {}, model_ratio: {}, cache_ratio: {}, completion_ratio: legacyCompletionRatios() }
  }
  const prices = presetPrices(source)
  return {
    ...head,
    model_price: { ...prices.modelPrice },
    model_ratio: { ...prices.modelRatio },
    completion_ratio: { ...prices.completionRatio },
    cache_ratio: { ...prices.cacheRatio },
  }
}

/** Of models that came before vendors' lists said what output costs; one that costs the same as input needs no entry. */
function legacyCompletionRatios(): Record<string, number> {
  const published = presetPrices('flexible').completionRatio
  const older = Object.keys(DEFAULT_PRICES.modelRatio).filter((model) => !Object.hasOwn(published, model))
  const ratios = older.map((model) => [model, builtInCompletionRatio(model).ratio] as const)
  return Object.fromEntries(ratios.filter(([, ratio]) => ratio !== 1))
}
