import type { OptionKey } from '@tidegate/contract/api'
import type { OptionTexts } from '../option-values.ts'

export type Figure = 'price' | 'ratio' | 'completion' | 'cache'

/** What one model costs: USD for a call, or ratios for tokens. A figure that is not there is not set. */
export type Prices = Readonly<Partial<Record<Figure, number | undefined>>>
export type PriceList = ReadonlyMap<string, Prices>

/** Each figure is kept in an option of its own, by model. */
export const OPTION_OF = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completion: 'CompletionRatio',
  cache: 'CacheRatio',
} as const satisfies Record<Figure, OptionKey>

export const FIGURES = Object.keys(OPTION_OF) as Figure[]

export function readPriceList(texts: OptionTexts): PriceList {
  const list = new Map<string, Prices>()
  for (const figure of FIGURES) {
    for (const [name, value] of readFigures(texts[OPTION_OF[figure]])) {
      list.set(name, { ...list.get(name), [figure]: value })
    }
  }
  return list
}

/** One of the maps. The server keeps no other than numbers in them; a text that is none holds nothing. */
export function readFigures(text = ''): Map<string, number> {
  try {
    const entries = Object.entries(JSON.parse(text) as object) as [string, unknown][]
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return new Map()
  }
}

/** A model with a price for each call is billed by it, whatever ratios it has. */
export const isPerCall = ({ price }: Prices): boolean => price !== undefined

export const isPriced = ({ price, ratio }: Prices): boolean => price !== undefined || ratio !== undefined

/** Only one of them counts, and whoever set the other may not know. */
export const hasConflict = ({ price, ratio }: Prices): boolean => price !== undefined && ratio !== undefined

export const samePrices = (one: Prices, other: Prices): boolean =>
  FIGURES.every((figure) => one[figure] === other[figure])
