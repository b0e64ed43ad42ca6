import { vendorOf } from './model-facts.ts'
import { piecePrices } from './vendors/pieces.ts'
import { vendorPrices } from './vendors/index.ts'

type Figures = Readonly<Record<string, number>>

/** A price list to fill in from, by model. */
export interface PresetPrices {
  readonly modelPrice: Figures
  readonly modelRatio: Figures
  readonly completionRatio: Figures
  readonly cacheRatio: Figures
}

/**
 * `flexible` is what vendors publish, under their own names; `openrouter` the same under names that say whose a model is,
 * as resellers write them; `mixed` both.
 */
export function presetPrices(source: 'flexible' | 'openrouter' | 'mixed'): PresetPrices {
  const plain = publicPrices()
  if (source === 'flexible') return plain
  const resold = mapPrices(plain, resellerNames)
  return source === 'openrouter' ? resold : mapPrices(plain, (figures) => ({ ...figures, ...resellerNames(figures) }))
}

function publicPrices(): PresetPrices {
  const rows = Object.entries(vendorPrices)
  const column = (index: 0 | 1 | 2): Figures =>
    Object.fromEntries(rows.flatMap(([model, row]) => (row[index] === undefined ? [] : [[model, row[index]]])))
  return { modelPrice: piecePrices, modelRatio: column(0), completionRatio: column(1), cacheRatio: column(2) }
}

function mapPrices(prices: PresetPrices, change: (figures: Figures) => Figures): PresetPrices {
  return {
    modelPrice: change(prices.modelPrice),
    modelRatio: change(prices.modelRatio),
    completionRatio: change(prices.completionRatio),
    cacheRatio: change(prices.cacheRatio),
  }
}

/** A model whose vendor nobody knows has no such name. */
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
