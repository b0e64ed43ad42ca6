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
  return json.replace(ESCAPES, (sign) => {
    if (sign === String.raw`\\`) return sign
    return sign === String.raw`\u0000` ? '' : String.raw`\ufffd`
  })
}
