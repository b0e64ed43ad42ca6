import { asJsonObject, type JsonObject } from '../json/json-object.ts'
import { endOfValue, skipSpace, topLevelMembers } from '../json/patch-members.ts'

/** Missing in the type declarations: the source text of a number, and raw JSON numbers. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** Possible number with more digits than a double holds. Inline media has no such characters before its digits. */
const LONG_NUMBER = /[:,[]\s*-?\d[\d.]{15}/

/**
 * Parses JSON so that `JSON.stringify` writes the same numbers. 64-bit ids of tools do not fit a double. Such numbers
 * become objects that only `JSON.stringify` can read.
 */
function parseExact(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return exactJson.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source && /\d[\d.]{15}/.test(source)
      ? exactJson.rawJSON(source)
      : value,
  )
}

/** Parses again only if numbers may have been rounded. */
export function exactJsonObject(text: string, parsed: JsonObject): JsonObject {
  return LONG_NUMBER.test(text) ? (parseExactJsonObject(text) ?? parsed) : parsed
}

/** Parses a JSON object with exact numbers. `undefined` if the text is not an object. */
export function parseExactJsonObject(text: string): JsonObject | undefined {
  try {
    return asJsonObject(parseExact(text))
  } catch {
    return undefined
  }
}

/** Arguments of a call as an object. Plain text becomes its `input`. */
export function argumentsObject(text: string): JsonObject {
  if (text.trim() === '') return {}
  return parseExactJsonObject(text) ?? { input: text }
}

/**
 * Original JSON text of the value at a path. Parsing would change numbers beyond a double. The text must be valid JSON.
 * `undefined` if there is no value.
 */
export function jsonTextAt(text: string, path: readonly (string | number)[]): string | undefined {
  let value: string | undefined = text
  for (const step of path) {
    if (value === undefined) return undefined
    value = typeof step === 'string' ? memberOf(value, step) : elementOf(value, step)
  }
  return value
}

/** The last of repeated names counts, as in JSON.parse. */
function memberOf(text: string, name: string): string | undefined {
  if (text[skipSpace(text, 0)] !== '{') return undefined
  let found: string | undefined
  for (const member of topLevelMembers(text)) {
    if (member.name === name) found = text.slice(member.valueStart, member.valueEnd)
  }
  return found
}

function elementOf(text: string, index: number): string | undefined {
  const start = skipSpace(text, 0)
  if (text[start] !== '[') return undefined
  let at = skipSpace(text, start + 1)
  for (let passed = 0; text[at] !== ']' && at < text.length; passed += 1) {
    const end = endOfValue(text, at)
    if (passed === index) return text.slice(at, end)
    const comma = skipSpace(text, end)
    at = text[comma] === ',' ? skipSpace(text, comma + 1) : comma
  }
  return undefined
}
