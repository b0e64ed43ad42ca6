import { initialCacheRatio, initialCompletionRatio, initialModelPrice } from './initial-prices.ts'
import { initialModelRatio } from './initial-ratios.ts'
import { audioPrices } from './vendors/audio.ts'
import { vendorPrices } from './vendors/index.ts'
import { piecePrices } from './vendors/pieces.ts'

export { DEFAULT_MODEL_FACTS, vendorOf, type ModelFacts } from './model-facts.ts'
export { DEFAULT_MODEL_LIMITS, type ModelLimits } from './model-limits.ts'
export { presetPrices, type PresetPrices } from './presets.ts'
export { DEFAULT_PRICES_VERSION } from './version.ts'

type Figures = Readonly<Record<string, number>>
type PriceList = Readonly<
  Record<
    'modelPrice' | 'modelRatio' | 'completionRatio' | 'cacheRatio' | 'audioRatio' | 'audioCompletionRatio',
    Figures
  >
>

/**
 * The first list wins. Where it has another input price than the vendor's row, the row is left out whole: its output and
 * cache ratios are multiples of a price that is not billed.
 */
const rows = Object.entries(vendorPrices).filter(([model, [ratio]]) => (initialModelRatio[model] ?? ratio) === ratio)

/** The gpt-4o family is billed by the rules for its names, which the first list was written with. */
const audioRows = Object.entries(audioPrices).filter(([model]) => !/^gpt-4o-.*(audio|realtime)/.test(model))

/**
 * What models cost until an operator says otherwise. Models that no formula bills right (sold by tokens and by the piece
 * at once, or by the second) are left out: a refusal is better than a wrong bill.
 */
export const DEFAULT_PRICES: PriceList = {
  modelPrice: { ...piecePrices, ...initialModelPrice },
  modelRatio: { ...column(rows, 0), ...initialModelRatio },
  completionRatio: { ...column(rows, 1), ...initialCompletionRatio },
  cacheRatio: { ...column(rows, 2), ...initialCacheRatio },
  audioRatio: column(audioRows, 0),
  audioCompletionRatio: column(audioRows, 1),
}

function column(entries: readonly [string, readonly (number | undefined)[]][], index: number): Figures {
  return Object.fromEntries(
    entries.flatMap(([model, row]) => {
      const cell = row[index]
      return cell === undefined ? [] : [[model, cell] as const]
    }),
  )
}
