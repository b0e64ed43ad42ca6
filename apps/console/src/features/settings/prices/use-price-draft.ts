import { useMemo, useState } from 'react'
import type { OptionTexts } from '../option-values.ts'
import { rowOf, rowsOf, type Draft, type PriceRow } from './draft.ts'
import { readPriceList, type PriceList, type Prices } from './price-list.ts'

export interface PriceDraft {
  stored: PriceList
  draft: Draft
  /** Stored and entered together. */
  rows: readonly PriceRow[]
  /** How many models would change. */
  count: number
  rowOf(name: string): PriceRow | undefined
  /** New prices by model, null to take them away. */
  enter(prices: Iterable<readonly [string, Prices | null]>): void
  undo(name: string): void
  clear(): void
}

/** Prices that were entered and not saved, over those that the server has. */
export function usePriceDraft(texts: OptionTexts): PriceDraft {
  const stored = useMemo(() => readPriceList(texts), [texts])
  const [draft, setDraft] = useState<Draft>(NOTHING)
  const rows = useMemo(() => rowsOf(stored, draft), [stored, draft])
  return {
    stored,
    draft,
    rows,
    count: rows.filter(({ state }) => state !== 'same').length,
    rowOf: (name) => rowOf(name, stored, draft),
    enter: (prices) => setDraft((before) => new Map([...before, ...prices])),
    undo: (name) => setDraft((before) => new Map([...before].filter(([other]) => other !== name))),
    clear: () => setDraft(NOTHING),
  }
}

const NOTHING: Draft = new Map()
