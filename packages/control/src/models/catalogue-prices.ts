import {
  type api,
  ApiError,
  CATALOGUE_VERSION,
  DEFAULT_PRICES,
  listedModel,
  presetPrices,
  type RateCard,
  SCHEDULES,
} from '@tidegate/contract'
import { cardAt, priceOf, quoteRateCard } from '@tidegate/pricing'
import type { Deps } from '../deps.ts'

/** The rate card of a model, from the price list and as billed now. */
export function listPrice({ catalog, now }: Pick<Deps, 'catalog' | 'now'>, name: string): api.ListPrice {
  const at = now()
  const listed = listedModel(name)
  const cards = listed?.prices ?? []
  const list = cardAt(cards, at)
  const next = cards.find(({ effective }) => effective !== undefined && Date.parse(effective) > at.getTime())
  const current = currentCard(catalog().settings, name, at)
  return {
    version: CATALOGUE_VERSION,
    ...(listed && { model: listed.model }),
    ...(list && { list }),
    ...(next && { next }),
    ...(current && { current }),
    schedules: Object.fromEntries(
      Object.entries(SCHEDULES).map(([schedule, { utc, days }]) => [
        schedule,
        { utc: utc.map(([from, to]) => [from, to] as [string, string]), days },
      ]),
    ),
  }
}

function currentCard(settings: Parameters<typeof priceOf>[0], name: string, at: Date): RateCard | undefined {
  const plain = { ...settings, fallback_pricing_enabled: false, SelfUseModeEnabled: false }
  try {
    const price = priceOf(plain, { modelName: name, upstreamName: name, group: '', acceptUnset: false })
    const card = quoteRateCard(settings, price, 1, at)
    return price.kind === 'call' ? { fees: { request: price.callPrice, ...card.fees } } : card
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** A built-in price list in the format of the options. */
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

/** Completion ratios of models that are no longer sold under this name. */
function legacyCompletionRatios(): Record<string, number> {
  return Object.fromEntries(
    Object.entries(DEFAULT_PRICES.completionRatio).filter(([model]) => listedModel(model)?.isHistoric),
  )
}
