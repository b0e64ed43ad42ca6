import { isJsonObject } from '../../../lib/json-text.ts'

export interface MappingRow {
  /** As clients request it. */
  from: string
  /** As the channel sends it upstream. */
  to: string
}

/** The rows of a mapping; null if the text is not an object of names. */
export function mappingRows(text: string): MappingRow[] | null {
  if (text.trim() === '') return []
  if (!isJsonObject(text)) return null
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
  const isNames = entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
  return isNames ? entries.map(([from, to]) => ({ from, to })) : null
}

/** The rows as JSON, without blank ones. */
export function mappingText(rows: readonly MappingRow[]): string {
  const entries = rows.map(({ from, to }) => [from.trim(), to.trim()]).filter(([from, to]) => from !== '' || to !== '')
  return entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries), null, 2)
}

export const isComplete = ({ from, to }: MappingRow): boolean => from.trim() !== '' && to.trim() !== ''
