import { findBreak } from './find-json-break.ts'

export type JsonCheck =
  | { state: 'blank' }
  | { state: 'object'; entries: number }
  /** Readable, but a list or a single value where an object is wanted. */
  | { state: 'not-object' }
  | { state: 'broken'; line: number; column: number }

/** What a text is when it should be a JSON object, and where it breaks when it is none. */
export function checkJson(text: string): JsonCheck {
  if (text.trim() === '') return { state: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { state: 'broken', ...placeOf(findBreak(text), text) }
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { state: 'object', entries: Object.keys(value as object).length } : { state: 'not-object' }
}

export function isJsonObject(text: string): boolean {
  return checkJson(text).state === 'object'
}

/** How many entries a JSON list has; null for a text that is none. */
export function countList(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.length : null
  } catch {
    return null
  }
}

/** The same with two spaces of indentation; a text that cannot be read stays as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function placeOf(index: number, text: string): { line: number; column: number } {
  const before = text.slice(0, index).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}
