const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const QUOTE = 34
const PLUS = 43
const COMMA = 44
const MINUS = 45
const DOT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const LOWER_E = 101
const LOWER_U = 117
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Quarter tokens of the character that a byte begins: 1 for ASCII, 4 for a UTF-16 code unit beyond it. */
const QUARTERS = new Uint8Array(256)
QUARTERS.fill(1, 0, 0x80)
QUARTERS.fill(4, 0xc0, 0xf0)
QUARTERS.fill(8, 0xf0, 0x100)

/** Whether a byte may follow a backslash alone. */
const ESCAPES = new Uint8Array(256)
for (const character of '"\\/bfnrt') ESCAPES[character.charCodeAt(0)] = 1

const LITERALS = ['true', 'false', 'null'].map((text) => Uint8Array.from(text, (character) => character.charCodeAt(0)))

/** Deeper values are left to the parser. */
const MAX_DEPTH = 64

/**
 * Moves over JSON in UTF-8 bytes without building values. Accepts only what `JSON.parse` accepts; methods return false
 * for anything else, and for values that are nested too deeply. Does not check whether the bytes are valid UTF-8.
 */
export class ByteReader {
  readonly bytes: Uint8Array
  at = 0
  /** Estimated quarter tokens of the strings read by `readString`. */
  quarters = 0
  /** The last string has an escape or a character beyond ASCII, so its bytes are not its text. */
  isEncoded = false
  /** A string so far has a character beyond ASCII. */
  hasWideCharacters = false

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The next byte that is not whitespace; -1 at the end. */
  peek(): number {
    const { bytes } = this
    const { length } = bytes
    let { at } = this
    while (at < length) {
      const byte = bytes[at]!
      if (byte !== SPACE && byte !== LF && byte !== CR && byte !== TAB) {
        this.at = at
        return byte
      }
      at += 1
    }
    this.at = at
    return -1
  }

  /** Consumes the byte if it comes next, after whitespace. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.at += 1
    return true
  }

  /** Reads a string at its opening quote. Its content is between the positions before and after, without the quotes. */
  readString(): boolean {
    if (this.peek() !== QUOTE) return false
    const { bytes } = this
    const { length } = bytes
    let at = this.at + 1
    let quarters = 0
    let isEncoded = false
    while (at < length) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.at = at + 1
        this.quarters += quarters
        this.isEncoded = isEncoded
        return true
      }
      if (byte < SPACE) return false
      if (byte !== BACKSLASH) {
        quarters += QUARTERS[byte]!
        if (byte >= 0x80) {
          isEncoded = true
          this.hasWideCharacters = true
        }
        at += 1
        continue
      }
      isEncoded = true
      const escaped = at + 1 < length ? bytes[at + 1]! : 0
      if (ESCAPES[escaped] === 1) {
        quarters += 1
        at += 2
        continue
      }
      const unit = escaped === LOWER_U ? readHex(bytes, at + 2) : -1
      if (unit === -1) return false
      quarters += unit < 0x80 ? 1 : 4
      at += 6
    }
    return false
  }

  readNumber(): boolean {
    const first = this.peek()
    const { bytes } = this
    let at = this.at
    if (first === MINUS) at += 1
    const whole = at
    at = skipDigits(bytes, at)
    if (at === whole || (bytes[whole] === ZERO && at > whole + 1)) return false
    if (bytes[at] === DOT) {
      const fraction = at + 1
      at = skipDigits(bytes, fraction)
      if (at === fraction) return false
    }
    if (at < bytes.length && (bytes[at]! | 0x20) === LOWER_E) {
      at += 1
      if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1
      const exponent = at
      at = skipDigits(bytes, exponent)
      if (at === exponent) return false
    }
    this.at = at
    return true
  }

  /** `true`, `false` or `null`. */
  readLiteral(): boolean {
    const first = this.peek()
    const { bytes, at } = this
    for (const literal of LITERALS) {
      if (literal[0] !== first) continue
      for (let index = 1; index < literal.length; index += 1) if (bytes[at + index] !== literal[index]) return false
      this.at = at + literal.length
      return true
    }
    return false
  }

  readValue(depth = 0): boolean {
    const first = this.peek()
    if (first === QUOTE) return this.readString()
    if (first === OPEN_BRACE) return depth < MAX_DEPTH && this.#readObject(depth)
    if (first === OPEN_BRACKET) return depth < MAX_DEPTH && this.#readArray(depth)
    if (first === MINUS || (first >= ZERO && first <= NINE)) return this.readNumber()
    return this.readLiteral()
  }

  #readObject(depth: number): boolean {
    this.at += 1
    if (this.take(CLOSE_BRACE)) return true
    do {
      if (!this.readString() || !this.take(COLON) || !this.readValue(depth + 1)) return false
    } while (this.take(COMMA))
    return this.take(CLOSE_BRACE)
  }

  #readArray(depth: number): boolean {
    this.at += 1
    if (this.take(CLOSE_BRACKET)) return true
    do {
      if (!this.readValue(depth + 1)) return false
    } while (this.take(COMMA))
    return this.take(CLOSE_BRACKET)
  }
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at]! >= ZERO && bytes[at]! <= NINE) at += 1
  return at
}

/** The code unit of four hexadecimal digits; -1 if there are none. */
function readHex(bytes: Uint8Array, from: number): number {
  if (from + 4 > bytes.length) return -1
  let unit = 0
  for (let at = from; at < from + 4; at += 1) {
    const byte = bytes[at]!
    const lower = byte | 0x20
    if (byte >= ZERO && byte <= NINE) unit = unit * 16 + byte - ZERO
    else if (lower >= 97 && lower <= 102) unit = unit * 16 + lower - 87
    else return -1
  }
  return unit
}

/** Finds which of a few names a range of bytes is, without building a string. */
export class NameTable {
  readonly #byHash = new Map<number, { readonly index: number; readonly bytes: Uint8Array }>()

  constructor(names: readonly string[]) {
    for (const [index, name] of names.entries()) {
      const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0))
      this.#byHash.set(hashOf(bytes, 0, bytes.length), { index, bytes })
    }
    if (this.#byHash.size < names.length) throw new Error('two names have the same hash')
  }

  /** The index of the name; -1 for any other. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const found = this.#byHash.get(hashOf(bytes, from, to))
    if (!found || found.bytes.length !== to - from) return -1
    for (let index = 0; index < found.bytes.length; index += 1) {
      if (found.bytes[index] !== bytes[from + index]) return -1
    }
    return found.index
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0
  for (let at = from; at < to; at += 1) hash = (hash * 31 + bytes[at]!) | 0
  return hash
}
