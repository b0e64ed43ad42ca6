/** Deeper than any real request; serializers overflow the stack not far above. */
export const MAX_DEPTH = 500
/** OpenAI accepts 300,000 token numbers in one embeddings request; real conversations have a tenth of that. */
export const MAX_VALUES = 320_000
/** Object members: each new name costs the parser some microseconds and a hidden class. */
const MAX_MEMBERS = 100_000

export interface JsonLimits {
  readonly values: number
  readonly members: number
}

/** Maximum bytes between two structural characters outside of strings; no number or indentation is longer. */
const MAX_GAP_BYTES = 64 * 1024

/** Why a JSON text is not parsed. */
export type JsonViolation = 'too_deep' | 'too_many_values' | 'gap_too_long'

/** Parsing a text of this length takes at most a few milliseconds. */
const SAFE_BYTES = 64 * 1024

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** 1 for every structural byte. */
const STRUCTURAL = new Uint8Array(256)
for (const byte of [QUOTE, COMMA, COLON, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]) STRUCTURAL[byte] = 1

/** Longer strings are searched with `indexOf`, which is faster. */
const SHORT_STRING = 24

/**
 * Counts nesting and values of a JSON text before it is parsed: `JSON.parse` needs gigabytes and seconds for 32 MB of
 * brackets. Takes UTF-8 bytes in pieces, as they arrive, and does not report syntax errors.
 */
export class JsonScanner {
  #depth = 0
  #values = 0
  #members = 0
  #inString = false
  #isEscaped = false
  /** Bytes since the last structural byte, outside of strings. */
  #gap = 0
  readonly #limits: JsonLimits

  constructor(limits: JsonLimits = { values: MAX_VALUES, members: MAX_MEMBERS }) {
    this.#limits = limits
  }

  /** Object members so far. */
  get members(): number {
    return this.#members
  }

  push(bytes: Uint8Array): JsonViolation | undefined {
    const { length } = bytes
    const { values: maxValues, members: maxMembers } = this.#limits
    let inString = this.#inString
    let depth = this.#depth
    let values = this.#values
    let members = this.#members
    let quote = -1
    let backslash = -1
    let at = this.#isEscaped ? 1 : 0
    let gapFrom = -this.#gap
    while (at < length) {
      if (inString) {
        for (const near = Math.min(length, at + SHORT_STRING); inString && at < near; at += 1) {
          if (bytes[at] === QUOTE) inString = false
          else if (bytes[at] === BACKSLASH) at += 1
        }
        gapFrom = at
        if (!inString) continue
        // Repeats a search only after its result was passed: a string full of one must not search for the other every time.
        if (quote < at) quote = indexOrEnd(bytes, QUOTE, at)
        if (backslash < at) backslash = indexOrEnd(bytes, BACKSLASH, at)
        at = Math.max(at, Math.min(quote, backslash))
        continue
      }
      const byte = bytes[at]!
      at += 1
      if (STRUCTURAL[byte] === 0) continue
      if (at - gapFrom > MAX_GAP_BYTES) return 'gap_too_long'
      gapFrom = at
      if (byte === QUOTE) inString = true
      else if (byte === COMMA) values += 1
      else if (byte === COLON) members += 1
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        values += 1
        depth += 1
        if (depth > MAX_DEPTH) return 'too_deep'
      } else depth -= 1
      if (values > maxValues || members > maxMembers) return 'too_many_values'
    }
    if (length > 0) this.#isEscaped = at > length
    this.#inString = inString
    this.#gap = inString ? 0 : length - gapFrom
    if (this.#gap > MAX_GAP_BYTES) return 'gap_too_long'
    this.#depth = depth
    this.#values = values
    this.#members = members
    return undefined
  }
}

/** Checks a whole JSON text against the limits. Short texts are not scanned. */
export function checkJsonLimits(bytes: Uint8Array): JsonViolation | undefined {
  return bytes.length > SAFE_BYTES ? new JsonScanner().push(bytes) : undefined
}

function indexOrEnd(bytes: Uint8Array, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index === -1 ? bytes.length : index
}
