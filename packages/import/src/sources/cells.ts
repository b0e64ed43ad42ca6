import type { Row } from './source.ts'

/** Reads cells of all three engines: numbers, bigints, digits, 0 and 1 for flags, padded text. */

/** Blank for null. PostgreSQL pads `char(48)` with spaces, which are not part of a key. */
export function text(row: Row, column: string): string {
  const value = row[column]
  if (value === null || value === undefined) return ''
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8').trimEnd()
  const plain = typeof value === 'string' || typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
  return plain.replaceAll('\0', '').trimEnd()
}

/** 0 for null; undefined for anything that is not a safe integer. */
export function integer(row: Row, column: string): number | undefined {
  const value = row[column]
  if (value === null || value === undefined || value === '') return 0
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Like `integer`, but 0 for invalid values. */
export function count(row: Row, column: string): number {
  return integer(row, column) ?? 0
}

export function flag(row: Row, column: string): boolean {
  const value = row[column]
  if (value instanceof Uint8Array) return value[0] === 1 || value[0] === 0x31
  return value === true || ['1', 't', 'true'].includes(String(value))
}

/** A time in Unix seconds; null for none. */
export function unixTime(row: Row, column: string): Date | null {
  const seconds = count(row, column)
  return seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000) : null
}

/** A timestamp column: a Date, or text when the engine has no such type. */
export function timestamp(row: Row, column: string): Date | null {
  const value = row[column]
  if (value === null || value === undefined || value === '') return null
  const date = value instanceof Date ? value : new Date(text(row, column).replace(/ ([+-]\d\d:\d\d).*$/, '$1'))
  return Number.isNaN(date.getTime()) ? null : date
}

/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** The object in a JSON text; empty for blank text, undefined for anything else. */
export function readObject(written: string): Record<string, unknown> | undefined {
  if (written.trim() === '' || written.trim() === 'null') return {}
  try {
    const value: unknown = JSON.parse(written)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The distinct entries of a comma-separated list. */
export function splitList(list: string): string[] {
  const entries = list.split(',').map((entry) => entry.trim())
  return [...new Set(entries.filter((entry) => entry !== ''))]
}

/** The largest value of an `integer` column. */
export const MAX_INTEGER = 2_147_483_647
