/** A JSON object as parsed, nothing known about its members. */
export type JsonObject = Readonly<Record<string, unknown>>

export function asJsonObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A token count as vendors write it: anything that is not a whole number of zero or more counts as none. */
export function asCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}

/** The value of a JSON text, or `undefined` when it is none. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    return asJsonObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The objects of a list, without whatever else strayed into it. */
export function asJsonObjects(list: unknown): JsonObject[] {
  return asList(list).filter((value): value is JsonObject => asJsonObject(value) !== undefined)
}

/**
 * Named values of a parsed JSON value. When its text has more of them, an object has a name twice: `JSON.parse` keeps the
 * last value, and other parsers may keep the first.
 */
export function countMembers(value: unknown): number {
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item)
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) {
      count += 1
      if (typeof member === 'object') count += countMembers(member)
    }
  }
  return count
}
