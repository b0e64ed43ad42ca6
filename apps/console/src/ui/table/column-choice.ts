import { useMemo, useState } from 'react'
import type { StoredItem } from '../../lib/stored-item.ts'
import { useScreenWidth, type ScreenWidth } from '../../lib/use-media.ts'

export interface ColumnRules<Key extends string> {
  /** In display order. */
  keys: readonly Key[]
  forAdministrators: ReadonlySet<Key>
  hiddenAtFirst: Record<'administrator' | 'user', ReadonlySet<Key>>
  /** Columns that are hidden at first on narrower screens. */
  from?: Partial<Record<Key, ScreenWidth>>
  /** Stores the selection. */
  item: StoredItem<Record<string, boolean>>
}

/** The visible columns of a table, stored in this browser. */
export function useColumnChoice<Key extends string>(rules: ColumnRules<Key>, wholeSite: boolean) {
  const [choice, setChoice] = useState(() => rules.item.get() ?? {})
  const width = useScreenWidth()
  return {
    offered: useMemo(() => offeredColumns(rules, wholeSite), [rules, wholeSite]),
    shown: useMemo(() => chosenColumns(rules, choice, wholeSite, width), [rules, choice, wholeSite, width]),
    choose(next: Record<string, boolean>) {
      // Columns that this user cannot see keep their stored setting.
      const merged = { ...choice, ...next }
      rules.item.set(merged)
      setChoice(merged)
    },
    reset() {
      rules.item.clear()
      setChoice({})
    },
  }
}

/** The columns that the user can select. */
export function offeredColumns<Key extends string>(rules: ColumnRules<Key>, wholeSite: boolean): Key[] {
  return rules.keys.filter((key) => wholeSite || !rules.forAdministrators.has(key))
}

/** The visible columns. Columns without a stored setting use the default. */
export function chosenColumns<Key extends string>(
  rules: ColumnRules<Key>,
  choice: Readonly<Record<string, boolean>>,
  wholeSite: boolean,
  width = Infinity,
): Key[] {
  const hidden = rules.hiddenAtFirst[wholeSite ? 'administrator' : 'user']
  return offeredColumns(rules, wholeSite).filter(
    (key) => choice[key] ?? (!hidden.has(key) && (rules.from?.[key] ?? 0) <= width),
  )
}
