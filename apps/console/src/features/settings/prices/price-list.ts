import type { OptionKey, RateCard } from '@tidegate/contract/api'
import type { OptionTexts } from '../option-values.ts'

export type Figure = 'price' | 'ratio' | 'completion' | 'cache'

/** What one model costs: USD for a call, or ratios for tokens. A rate card wins over both. What is left out is not set. */
export type Prices = Readonly<Partial<Record<Figure, number | undefined>>> & { readonly card?: RateCard | undefined }
export type PriceList = ReadonlyMap<string, Prices>

/** Each figure is kept in an option of its own, by model. */
export const OPTION_OF = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completion: 'CompletionRatio',
  cache: 'CacheRatio',
} as const satisfies Record<Figure, OptionKey>

export const CARD_OPTION = 'ModelRates' satisfies OptionKey

export const FIGURES = Object.keys(OPTION_OF) as Figure[]

export function readPriceList(texts: OptionTexts): PriceList {
  const list = new Map<string, Prices>()
  for (const figure of FIGURES) {
    for (const [name, value] of readFigures(texts[OPTION_OF[figure]])) {
      list.set(name, { ...list.get(name), [figure]: value })
    }
  }
  for (const [name, card] of readCards(texts[CARD_OPTION])) list.set(name, { ...list.get(name), card })
  return list
}

/** Rate cards by model. The server has checked them. */
export function readCards(text = ''): Map<string, RateCard> {
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, RateCard>))
  } catch {
    return new Map()
  }
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
export const isPerCall = ({ price, card }: Prices): boolean => price !== undefined && card === undefined

export const isPriced = ({ price, ratio, card }: Prices): boolean => (price ?? ratio ?? card) !== undefined

/** Only one of them counts, and whoever set the other may not know. */
export const hasConflict = ({ price, ratio, card }: Prices): boolean =>
  price !== undefined && ratio !== undefined && card === undefined

export const samePrices = (one: Prices, other: Prices): boolean =>
  FIGURES.every((figure) => one[figure] === other[figure]) && sameCard(one.card, other.card)

/** Whatever order their fields are in. */
export const sameCard = (one: RateCard | undefined, other: RateCard | undefined): boolean =>
  JSON.stringify(one, sortKeys) === JSON.stringify(other, sortKeys)

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
