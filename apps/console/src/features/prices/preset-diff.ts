import type { PricePreset } from '@tidegate/contract/api'
import { byName, presetPrices, samePrices, type PriceList, type Prices } from './price-list.ts'

export interface DiffRow {
  name: string
  /** Undefined for a model without prices. */
  before: Prices | undefined
  after: Prices
}

export interface PresetDiff {
  /** New models first, then models whose prices would change. */
  rows: DiffRow[]
  /** Names of models whose prices match the list. */
  unchanged: string[]
}

/** Compares a price list with the current prices. */
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

/** A list with a price or a ratio replaces the other one. A list with only a detail keeps the rest. */
function mergePrices(before: Prices, offered: Prices): Prices {
  if (offered.price !== undefined) return { price: offered.price, ...(before.card && { card: before.card }) }
  if (offered.ratio !== undefined) return { ...before, ...offered, price: undefined }
  return { ...before, ...offered }
}
