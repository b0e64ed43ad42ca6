import { isHeaderOverride } from '@tidegate/contract'
import { text } from '../sources/cells.ts'
import type { Row } from '../sources/source.ts'
import { readObject } from '../sources/json-object.ts'

const STATUS = /^[1-5]\d\d$/

/** What each field must hold to be read at all; a channel with one that cannot be is refused by nobody and works wrongly. */
const FITS = {
  model_mapping: ([, to]: [string, unknown]) => typeof to === 'string',
  status_code_mapping: ([from, to]: [string, unknown]) => STATUS.test(from) && STATUS.test(String(to)),
  param_override: () => true,
}

/** The text of a JSON field, or blank and a note. */
export function keepJson(
  row: Row,
  column: keyof typeof FITS,
  note: (outcome: 'changed', reason: string) => void,
): string {
  const written = text(row, column)
  const object = readObject(written)
  if (!object || !Object.entries(object).every(FITS[column])) {
    note('changed', `${column} cannot be read: left blank`)
    return ''
  }
  if (column === 'param_override' && Array.isArray(object.operations)) {
    note('changed', 'param_override holds operations, which do not exist here: left blank')
    return ''
  }
  return Object.keys(object).length === 0 ? '' : written.trim()
}

/** The headers that this product can send; the others are dropped and named in the report. */
export function keepHeaders(row: Row, note: (outcome: 'changed', reason: string) => void): string {
  const object = readObject(text(row, 'header_override'))
  if (!object) {
    note('changed', 'header_override cannot be read: left blank')
    return ''
  }
  const entries = Object.entries(object)
  const kept = entries.filter(([name, value]) => isHeaderOverride(name, value))
  const dropped = entries.filter(([name, value]) => !isHeaderOverride(name, value)).map(([name]) => name)
  if (dropped.length > 0) note('changed', `header overrides not supported here were dropped: ${dropped.join(', ')}`)
  return kept.length === 0 ? '' : JSON.stringify(Object.fromEntries(kept))
}
