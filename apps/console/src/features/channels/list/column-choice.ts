import { useState } from 'react'
import { stored } from '../../../lib/stored.ts'

/** Columns that can be chosen, in their order; name and actions are always there. */
export const COLUMN_KEYS = [
  'id',
  'type',
  'status',
  'group',
  'tag',
  'models',
  'health',
  'responseTime',
  'keys',
  'used',
  'balance',
  'priority',
  'weight',
  'created',
] as const
export type ColumnKey = (typeof COLUMN_KEYS)[number]

const HIDDEN_AT_FIRST: ReadonlySet<ColumnKey> = new Set(['tag', 'models', 'created'])

type Shown = Readonly<Record<ColumnKey, boolean>>

/** What somebody chose, and the usual for columns that came later. */
export function chosenColumns(choice: Readonly<Record<string, boolean>>): Shown {
  const entries = COLUMN_KEYS.map((key) => [key, choice[key] ?? !HIDDEN_AT_FIRST.has(key)])
  return Object.fromEntries(entries) as Shown
}

/** Which columns the table shows, remembered in this browser. */
export function useColumnChoice() {
  const [shown, setShown] = useState(() => chosenColumns(stored.channelColumns.get() ?? {}))
  return {
    shown,
    choose(choice: Record<string, boolean>) {
      stored.channelColumns.set(choice)
      setShown(chosenColumns(choice))
    },
    reset() {
      stored.channelColumns.clear()
      setShown(chosenColumns({}))
    },
  }
}
