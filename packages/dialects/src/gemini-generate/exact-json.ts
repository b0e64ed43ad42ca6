import { asJsonObject, type JsonObject } from '../json/json-object.ts'
import { endOfValue, skipSpace, topLevelMembers } from '../json/patch-members.ts'

/** Newer than the library's type declarations: the source of a number, and a number written as its source. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** Where a number too long for a double may stand; inlined media has no such characters before its digits. */
const LONG_NUMBER = /[:,[]\s*-?\d[\d.]{15}/

/**
 * Parses JSON so that writing it again gives the numbers that were read: a tool's 64-bit ids do not fit a double. Such
 * numbers are objects in the result, which only `JSON.stringify` can read.
 */
function parseExact(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return exactJson.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source && /\d[\d.]{15}/.test(source)
      ? exactJson.rawJSON(source)
      : value,
  )
}

/** What was parsed already, parsed anew only when numbers in it may have been rounded. */
export function exactJsonObject(text: string, parsed: JsonObject): JsonObject {
  return LONG_NUMBER.test(text) ? (parseExactJsonObject(text) ?? parsed) : parsed
}

/** The object in a JSON text, numbers exact, or `undefined` when it holds none. */
export function parseExactJsonObject(text: string): JsonObject | undefined {
  try {
    return asJsonObject(parseExact(text))
  } catch {
    return undefined
  }
}

/** The arguments of a call as the object this dialect wants. A tool that takes plain text gets it as its `input`. */
export function argumentsObject(text: string): JsonObject {
  if (text.trim() === '') return {}
  return parseExactJsonObject(text) ?? { input: text }
}

/**
 * The arguments of a call as the vendor wrote them: parsed and written again, numbers beyond a double would change. The
 * text must have been parsed before. `undefined` when there are none at that place.
 */
export function argumentsText(text: string, candidate: number, part: number): string | undefined {
  const parts = follow(text, ['candidates', candidate, 'content', 'parts', part])
  return parts && follow(parts, ['functionCall', 'args'])
}

function follow(text: string, path: readonly (string | number)[]): string | undefined {
  let value: string | undefined = text
  for (const step of path) {
    if (value === undefined) return undefined
    value = typeof step === 'string' ? memberOf(value, step) : elementOf(value, step)
  }
  return value
}

/** Of a name given twice the last counts, as it does for JSON.parse. */
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
