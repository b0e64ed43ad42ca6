import type { PricePreset } from '@tidegate/contract/api'
import { byName } from '../by-name.ts'
import { FIGURES, samePrices, type Figure, type PriceList, type Prices } from '../price-list.ts'

export interface DiffRow {
  name: string
  /** Missing for a model that has no figure yet. */
  before: Prices | undefined
  after: Prices
}

export interface PresetDiff {
  /** New models first, then those whose figures would change. */
  rows: DiffRow[]
  /** Names of models that cost what the list says. */
  unchanged: string[]
}

/** What a price list would make of the prices that are set now. */
export function presetDiff(preset: PricePreset, now: PriceList): PresetDiff {
  const all = [...presetPrices(preset)].map(([name, offered]): DiffRow => {
    const before = now.get(name)
    return { name, before, after: mergePrices(before ?? {}, offered) }
  })
  const isSame = ({ before, after }: DiffRow) => before !== undefined && samePrices(before, after)
  return {
    rows: all.filter((row) => !isSame(row)).toSorted(newFirst),
    unchanged: all.filter(isSame).map(({ name }) => name),
  }
}

const newFirst = (one: DiffRow, other: DiffRow) =>
  Number(one.before !== undefined) - Number(other.before !== undefined) || byName(one.name, other.name)

/** A list that says how a model is billed replaces the other way; one that only knows a detail leaves the rest alone. */
function mergePrices(before: Prices, offered: Prices): Prices {
  if (offered.price !== undefined) return { price: offered.price, ...(before.card && { card: before.card }) }
  if (offered.ratio !== undefined) return { ...before, ...offered, price: undefined }
  return { ...before, ...offered }
}

function presetPrices(preset: PricePreset): PriceList {
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
