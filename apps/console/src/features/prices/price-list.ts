import type { OptionKey, PricePreset, RateCard } from '@tidegate/contract/api'
import type { OptionChange, OptionTexts } from '../../api/options.ts'

export type Figure = 'price' | 'ratio' | 'completion' | 'cache'

/** Prices as they are stored: USD per request, or ratios. A rate card takes precedence. Absent values are not set. */
export type Prices = Readonly<Partial<Record<Figure, number | undefined>>> & { readonly card?: RateCard | undefined }
export type PriceList = ReadonlyMap<string, Prices>

/** Each kind of value is stored in one option, a map by model. */
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
    for (const [name, value] of readNumbers(texts[OPTION_OF[figure]])) {
      list.set(name, { ...list.get(name), [figure]: value })
    }
  }
  for (const [name, card] of readCards(texts[CARD_OPTION])) list.set(name, { ...list.get(name), card })
  return list
}

/** The price list of a preset. */
export function presetPrices(preset: PricePreset): PriceList {
  const maps: Record<Figure, Record<string, number>> = {
    price: preset.model_price,
    ratio: preset.model_ratio,
    completion: preset.completion_ratio,
    cache: preset.cache_ratio,
  }
  const list = new Map<string, Prices>()
  for (const figure of FIGURES) {
    for (const [name, value] of Object.entries(maps[figure])) {
      list.set(name, { ...list.get(name), [figure]: value })
    }
  }
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

/** A map of numbers. A text that cannot be parsed is an empty map. */
export function readNumbers(text = ''): Map<string, number> {
  try {
    const entries = Object.entries(JSON.parse(text) as object) as [string, unknown][]
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return new Map()
  }
}

/** A model with a price per request is billed by it, whatever ratios it has. */
export const isPerCall = ({ price, card }: Prices): boolean => price !== undefined && card === undefined

export const isPriced = ({ price, ratio, card }: Prices): boolean => (price ?? ratio ?? card) !== undefined

/** Both a price per request and a ratio: only the price applies. */
export const hasConflict = ({ price, ratio, card }: Prices): boolean =>
  price !== undefined && ratio !== undefined && card === undefined

export const samePrices = (one: Prices, other: Prices): boolean =>
  FIGURES.every((figure) => one[figure] === other[figure]) && sameCard(one.card, other.card)

/** Ignores the order of fields. */
export const sameCard = (one: RateCard | undefined, other: RateCard | undefined): boolean =>
  JSON.stringify(one, sortKeys) === JSON.stringify(other, sortKeys)

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Ignores case, and puts 2 before 10. */
export const byName: (one: string, other: string) => number = new Intl.Collator('en', { numeric: true }).compare

/** The name that a model is priced by: custom GPTs share the price of their family. */
export const priceNameOf = (model: string): string => model.replace(/^(gpt-4o?-gizmo-).*$/, '$1*')

/** New prices by model; null removes the prices of a model. */
export type Draft = ReadonlyMap<string, Prices | null>

export type RowState = 'same' | 'new' | 'changed' | 'removed'

export function stateOf(name: string, stored: PriceList, draft: Draft): RowState {
  const [before, after] = [stored.get(name), draft.get(name)]
  if (after === undefined) return 'same'
  if (after === null) return before ? 'removed' : 'same'
  if (!before) return isPriced(after) ? 'new' : 'same'
  return samePrices(before, after) ? 'same' : 'changed'
}

/** Names of models that the draft changes. */
export const changedNames = (stored: PriceList, draft: Draft): string[] =>
  [...draft.keys()].filter((name) => stateOf(name, stored, draft) !== 'same').toSorted(byName)

/** Models of the draft whose stored prices were changed since the draft began. */
export function changedMeanwhile(before: PriceList, now: PriceList, draft: Draft): string[] {
  return [...draft.keys()].filter((name) => {
    const [one, other] = [before.get(name), now.get(name)]
    return one && other ? !samePrices(one, other) : one !== other
  })
}

/** The options that the draft changes, with their new values. */
export function draftChanges(texts: OptionTexts, draft: Draft): OptionChange[] {
  const ofNumbers = FIGURES.flatMap((figure) => {
    const key = OPTION_OF[figure]
    const numbers = readNumbers(texts[key])
    let isChanged = false
    for (const [name, prices] of draft) {
      const value = prices?.[figure]
      if (numbers.get(name) === value) continue
      isChanged = true
      if (value === undefined) numbers.delete(name)
      else numbers.set(name, value)
    }
    return isChanged ? [{ key, value: JSON.stringify(Object.fromEntries(numbers)) }] : []
  })
  return [...ofNumbers, ...cardChanges(texts, draft)]
}

function cardChanges(texts: OptionTexts, draft: Draft): OptionChange[] {
  const cards = readCards(texts[CARD_OPTION])
  let isChanged = false
  for (const [name, prices] of draft) {
    const card = prices?.card
    if (sameCard(cards.get(name), card)) continue
    isChanged = true
    if (card) cards.set(name, card)
    else cards.delete(name)
  }
  return isChanged ? [{ key: CARD_OPTION, value: JSON.stringify(Object.fromEntries(cards)) }] : []
}
