import { type CustomTypesConfig, types } from 'pg'

const INT8: number = types.builtins.INT8

/**
 * Converts column values to JavaScript. `bigint` (IDs, quota, counts) becomes a number. `numeric` stays text, because a
 * float would lose digits. Other types use the driver's default (`timestamptz` is a Date).
 */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? parseBigint : types.getTypeParser(oid, format),
}

/** Throws for values that a number cannot represent exactly, so that amounts are never rounded silently. */
export function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is outside the safe integer range`)
  return value
}

/**
 * Matches escaped backslashes too, so that `\\u0000` (a backslash and text) is not taken for an escape. JSON.stringify
 * escapes only unpaired surrogates.
 */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g

/**
 * JSON that PostgreSQL accepts as `jsonb`: without NUL characters and unpaired surrogates, which clients and providers
 * may send. One rejected value would fail the whole batch.
 */
export function jsonText(value: unknown): string {
  return cleanJson(JSON.stringify(value))
}

/** Same as `jsonText`, for a string that is already JSON. */
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

/** A LIKE pattern for values that start with the text. */
export function prefixPattern(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`
}
