import { byName } from './by-name.ts'
import {
  CARD_OPTION,
  FIGURES,
  OPTION_OF,
  readCards,
  readFigures,
  sameCard,
  samePrices,
  type PriceList,
  type Prices,
} from './price-list.ts'
import type { OptionChange, OptionTexts } from '../option-values.ts'

/** What is to become of models: their new prices, or null for none. Kept apart from what is stored, which may change. */
export type Draft = ReadonlyMap<string, Prices | null>

export type RowState = 'same' | 'new' | 'changed' | 'removed'

export interface PriceRow {
  name: string
  prices: Prices
  state: RowState
}

/** Stored and entered prices together: new models first, the others by name. */
export function rowsOf(stored: PriceList, draft: Draft): PriceRow[] {
  const names = new Set([...stored.keys(), ...draft.keys()])
  const rows = [...names].flatMap((name) => rowOf(name, stored, draft) ?? [])
  return rows.toSorted((one, other) => rank(one) - rank(other) || byName(one.name, other.name))
}

export function rowOf(name: string, stored: PriceList, draft: Draft): PriceRow | undefined {
  const before = stored.get(name)
  const entered = draft.get(name)
  if (entered === undefined) return before && { name, prices: before, state: 'same' }
  if (entered === null) return before && { name, prices: before, state: 'removed' }
  if (!before) return { name, prices: entered, state: 'new' }
  return { name, prices: entered, state: samePrices(before, entered) ? 'same' : 'changed' }
}

const rank = ({ state }: PriceRow): number => (state === 'new' ? 0 : 1)

/** Models of a draft whose stored price is no longer the one it was entered over. */
export function changedMeanwhile(before: PriceList, now: PriceList, draft: Draft): string[] {
  return [...draft.keys()].filter((name) => {
    const [one, other] = [before.get(name), now.get(name)]
    return one && other ? !samePrices(one, other) : one !== other
  })
}

/** The options as they must be saved, those only that a draft changes. */
export function draftChanges(texts: OptionTexts, draft: Draft): OptionChange[] {
  const ofFigures = FIGURES.flatMap((figure) => {
    const key = OPTION_OF[figure]
    const figures = readFigures(texts[key])
    let isChanged = false
    for (const [name, prices] of draft) {
      const value = prices?.[figure]
      if (figures.get(name) === value) continue
      isChanged = true
      if (value === undefined) figures.delete(name)
      else figures.set(name, value)
    }
    return isChanged ? [{ key, value: JSON.stringify(Object.fromEntries(figures)) }] : []
  })
  return [...ofFigures, ...cardChanges(texts, draft)]
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
