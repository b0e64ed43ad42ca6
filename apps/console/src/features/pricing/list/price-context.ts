import { useMemo } from 'react'
import type { Unit } from '../pricing-filters.ts'

/** What the prices of all rows are made with. */
export interface PriceContext {
  unit: Unit
  ratios: Readonly<Record<string, number>>
  /** Groups whose prices the reader wants, the most wanted first. */
  wished: readonly string[]
}

interface Wish {
  unit: Unit
  ratios: Readonly<Record<string, number>>
  /** Blank for none. */
  group: string
  ownGroup: string
}

export function usePriceContext({ unit, ratios, group, ownGroup }: Wish): PriceContext {
  return useMemo(() => ({ unit, ratios, wished: [group, ownGroup] }), [unit, ratios, group, ownGroup])
}
