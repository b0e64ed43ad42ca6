import { text } from '../source/cells.ts'
import type { Row } from '../source/source.ts'
import { readObject } from './json-object.ts'

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
