import type { ColumnRules } from '../../../lib/column-choice.ts'
import { stored } from '../../../lib/stored.ts'

/** Columns in their order. What a call used and cost stands last, where it stays in view. */
const KEYS = [
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
export type ColumnKey = (typeof KEYS)[number]

/**
 * An administrator looks for whose call went where; a user for what a token of theirs spent. Without the details a row
 * that is no call says in its place what happened.
 */
export const COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(['channel', 'user', 'retry']),
  hiddenAtFirst: { administrator: new Set(['token', 'group', 'details']), user: new Set(['details']) },
  item: stored.logColumns,
}
