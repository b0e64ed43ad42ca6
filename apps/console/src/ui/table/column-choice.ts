import { useMemo, useState } from 'react'
import type { StoredItem } from '../../lib/stored-item.ts'

export interface ColumnRules<Key extends string> {
  /** In their order. */
  keys: readonly Key[]
  forAdministrators: ReadonlySet<Key>
  hiddenAtFirst: Record<'administrator' | 'user', ReadonlySet<Key>>
  /** Where the choice is remembered. */
  item: StoredItem<Record<string, boolean>>
}

/** Which columns a table shows, remembered in this browser. */
export function useColumnChoice<Key extends string>(rules: ColumnRules<Key>, wholeSite: boolean) {
  const [choice, setChoice] = useState(() => rules.item.get() ?? {})
  return {
    offered: useMemo(() => offeredColumns(rules, wholeSite), [rules, wholeSite]),
    shown: useMemo(() => chosenColumns(rules, choice, wholeSite), [rules, choice, wholeSite]),
    choose(next: Record<string, boolean>) {
      // Columns that are not offered to this person keep what was chosen for them.
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

/** The columns somebody may see at all. */
export function offeredColumns<Key extends string>(rules: ColumnRules<Key>, wholeSite: boolean): Key[] {
  return rules.keys.filter((key) => wholeSite || !rules.forAdministrators.has(key))
}

/** What somebody chose, and the usual for columns that came later. */
export function chosenColumns<Key extends string>(
  rules: ColumnRules<Key>,
  choice: Readonly<Record<string, boolean>>,
  wholeSite: boolean,
): Key[] {
  const hidden = rules.hiddenAtFirst[wholeSite ? 'administrator' : 'user']
  return offeredColumns(rules, wholeSite).filter((key) => choice[key] ?? !hidden.has(key))
}
