import { useState } from 'react'
import { stored } from '../../../lib/stored.ts'

/** Columns in their order. What a call used and cost stands last, where it stays in view. */
export const COLUMN_KEYS = [
  'time',
  'channel',
  'user',
  'token',
  'group',
  'type',
  'model',
  'duration',
  'retry',
  'details',
  'input',
  'output',
  'cost',
] as const
export type ColumnKey = (typeof COLUMN_KEYS)[number]

const FOR_ADMINISTRATORS: ReadonlySet<ColumnKey> = new Set(['channel', 'user', 'retry'])

/**
 * An administrator looks for whose call went where; a user for what a token of theirs spent. Without the details a row
 * that is no call says in its place what happened.
 */
const HIDDEN_AT_FIRST: Record<'administrator' | 'user', ReadonlySet<ColumnKey>> = {
  administrator: new Set(['token', 'group', 'details']),
  user: new Set(['details']),
}

/** The columns somebody may see at all. */
export const columnsFor = (wholeSite: boolean): ColumnKey[] =>
  COLUMN_KEYS.filter((key) => wholeSite || !FOR_ADMINISTRATORS.has(key))

/** What somebody chose, and the usual for columns that came later. */
export function chosenColumns(choice: Readonly<Record<string, boolean>>, wholeSite: boolean): ColumnKey[] {
  const hidden = HIDDEN_AT_FIRST[wholeSite ? 'administrator' : 'user']
  return columnsFor(wholeSite).filter((key) => choice[key] ?? !hidden.has(key))
}

/** Which columns the table shows, remembered in this browser. */
export function useColumnChoice(wholeSite: boolean) {
  const [choice, setChoice] = useState(() => stored.logColumns.get() ?? {})
  return {
    choice,
    choose(next: Record<string, boolean>) {
      // Columns that are not offered to this person keep what was chosen for them.
      const merged = { ...choice, ...next }
      stored.logColumns.set(merged)
      setChoice(merged)
    },
    reset() {
      stored.logColumns.clear()
      setChoice({})
    },
    shown: chosenColumns(choice, wholeSite),
  }
}
