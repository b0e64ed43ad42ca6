import { type CustomTypesConfig, types } from 'pg'

const INT8: number = types.builtins.INT8

/**
 * How column values become JavaScript values. `bigint` (ids, quota, counts) becomes a number; `numeric` stays text,
 * because a float would lose digits; the rest is the driver's choice (`timestamptz` is a Date).
 */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? parseBigint : types.getTypeParser(oid, format),
}

/** Refuses a value a number cannot hold exactly: money that is silently off by one is worse than an error. */
export function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is outside the safe integer range`)
  return value
}

/**
 * A backslash that stands for itself is passed over, so that the letters of an escape are not taken for one. Surrogates
 * are written as escapes only where half of a pair is missing.
 */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g

/**
 * JSON that the database takes, whatever clients and vendors put into its texts: without zero characters, and without
 * halves of characters. One row that it refused would keep out all that are written with it.
 */
export function jsonText(value: unknown): string {
  return cleanJson(JSON.stringify(value))
}

/** The same for what is JSON already. */
export function cleanJson(json: string): string {
  if (!json.includes(String.raw`\u`)) return json
  return json.replace(ESCAPES, (escape) => {
    if (escape === String.raw`\\`) return escape
    return escape === String.raw`\u0000` ? '' : String.raw`\ufffd`
  })
}

/** PostgreSQL rejects NUL in text. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}

/** A LIKE pattern for values that contain the text. */
export function containsPattern(text: string): string {
  return `%${prefixPattern(text)}`
}

/** A LIKE pattern for values that begin with the text. */
export function prefixPattern(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`
}
