import { findBreak } from './find-json-break.ts'

export type JsonCheck =
  | { state: 'blank' }
  | { state: 'object'; entries: number }
  /** Valid JSON, but not an object. */
  | { state: 'not-object' }
  | { state: 'broken'; line: number; column: number }

/** Validates a JSON object. Returns the position of a syntax error. */
export function checkJson(text: string): JsonCheck {
  if (text.trim() === '') return { state: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { state: 'broken', ...positionOf(findBreak(text), text) }
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { state: 'object', entries: Object.keys(value as object).length } : { state: 'not-object' }
}

export function isJsonObject(text: string): boolean {
  return checkJson(text).state === 'object'
}

/** Number of entries in a JSON array. Null if the text is not a JSON array. */
export function countList(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.length : null
  } catch {
    return null
  }
}

/** Indents JSON by two spaces. Returns invalid JSON unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function positionOf(index: number, text: string): { line: number; column: number } {
  const before = text.slice(0, index).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}
