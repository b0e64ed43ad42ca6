import { priceOf, type ModelPrice, type PriceQuestion } from '@tidegate/pricing'
import type { Catalog } from '../ports/index.ts'

/** Models, groups and the names vendors have for them; past that, prices are worked out each time. */
const MOST_KEPT = 20_000

const known = new WeakMap<Catalog, Map<string, ModelPrice>>()

/** The price of a call by tokens or by the piece, worked out once per snapshot. Refuses a model that has none. */
export function knownPrice(catalog: Catalog, question: PriceQuestion): ModelPrice {
  let prices = known.get(catalog)
  if (!prices) known.set(catalog, (prices = new Map()))
  const { modelName, upstreamName, group, userGroup = '', acceptUnset } = question
  const name = `${acceptUnset ? 'any' : 'set'}\n${userGroup}\n${group}\n${upstreamName}\n${modelName}`
  const kept = prices.get(name)
  if (kept) return kept
  const price = priceOf(catalog.settings, question)
  if (prices.size < MOST_KEPT) prices.set(name, price)
  return price
}
