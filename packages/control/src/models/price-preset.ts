import { CATALOGUE_VERSION, DEFAULT_PRICES, listedModel, presetPrices, type api } from '@tidegate/contract'

/** A price list that comes with the product, as the options hold prices. */
export function pricePreset(source: api.PriceSource): api.PricePreset {
  const head = { source, version: CATALOGUE_VERSION }
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

/** Output ratios of models that no provider sells under this name any more. */
function legacyCompletionRatios(): Record<string, number> {
  return Object.fromEntries(
    Object.entries(DEFAULT_PRICES.completionRatio).filter(([model]) => listedModel(model)?.isHistoric),
  )
}
