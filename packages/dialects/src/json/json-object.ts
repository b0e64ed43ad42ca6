/** Parsed JSON object with unknown members. */
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

/** Reads a token count. Anything but a positive number counts as 0. */
export function asCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}

/** Parses a JSON object. `undefined` if the text is not one. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    return asJsonObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Objects of a list. Other values are dropped. */
export function asJsonObjects(list: unknown): JsonObject[] {
  return asList(list).filter((value): value is JsonObject => asJsonObject(value) !== undefined)
}

/**
 * Number of members in a parsed JSON value. If its text has more, an object repeats a name: `JSON.parse` keeps the last
 * value, and other parsers may keep the first.
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
