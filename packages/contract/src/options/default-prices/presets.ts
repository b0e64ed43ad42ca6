import { mainNames, mapsOf, type PriceMaps } from './default-maps.ts'
import { vendorOf } from './model-facts.ts'

type Figures = Readonly<Record<string, number>>

/**
 * `flexible` is what providers publish, under their own names; `openrouter` the same under names that say whose a model is,
 * as resellers write them; `mixed` both.
 */
export function presetPrices(source: 'flexible' | 'openrouter' | 'mixed'): PriceMaps {
  const plain = mapsOf(mainNames())
  if (source === 'flexible') return plain
  const resold = mapPrices(plain, resellerNames)
  return source === 'openrouter' ? resold : mapPrices(plain, (figures) => ({ ...figures, ...resellerNames(figures) }))
}

function mapPrices(prices: PriceMaps, change: (figures: Figures) => Figures): PriceMaps {
  return {
    modelPrice: change(prices.modelPrice),
    modelRatio: change(prices.modelRatio),
    completionRatio: change(prices.completionRatio),
    cacheRatio: change(prices.cacheRatio),
  }
}

/** A model of an unknown provider has no such name. */
function resellerNames(figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([model, figure]) => {
      const name = resellerName(model)
      return name === undefined ? [] : [[name, figure]]
    }),
  )
}

/** As resellers abbreviate them; every other vendor goes by its own name. */
const SLUGS: Readonly<Record<string, string>> = {
  xAI: 'x-ai',
  Mistral: 'mistralai',
  Alibaba: 'qwen',
  Moonshot: 'moonshotai',
}

function resellerName(model: string): string | undefined {
  if (model.includes('/')) return model
  const vendor = vendorOf(model)
  if (vendor === '') return undefined
  return `${SLUGS[vendor] ?? vendor.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}/${model}`
}
