/** Younger than the language level we are checked against; where it is missing, numbers are written as doubles. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }

/**
 * The value of a JSON text, such that `JSON.stringify` writes its numbers as they stand in the text: those that a
 * double cannot hold, or spells differently, become literals that only a serializer looks into. Throws when the text is
 * no JSON.
 *
 * Of the bytes of a tool call this keeps what carries meaning; spaces, escapes and the place of names that are whole
 * numbers go their own way, for this dialect has arguments as JSON and not as a text.
 */
export function parseExactly(text: string): unknown {
  const value = JSON.parse(text) as unknown
  if (!rawJSON || JSON.stringify(value) === text) return value
  return JSON.parse(text, keepNumbers)
}

function keepNumbers(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && source !== String(value) ? rawJSON!(source) : value
}
