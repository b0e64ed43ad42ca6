import type { CanonicalEvent } from '../canonical/index.ts'

export type TextEvent = Extract<CanonicalEvent, { type: 'text-delta' | 'thinking-delta' }>

const LF = 10
const SPACE = 32
const QUOTE = 34
const BACKSLASH = 92

/** OpenAI pads each chunk with random characters in this member. */
const PADDING_MEMBER = 'obfuscation'

interface TextMember {
  /** The name of the member with the text. */
  readonly member: string
  /** Decodes UTF-8. */
  readonly decode: (bytes: Uint8Array) => string
}

/**
 * A frame whose text can be replaced. Most frames of a stream differ only in their text, and those that match the
 * template are read without parsing.
 */
export class FrameTemplate {
  /** The bytes before, between and after the text and the padding. All but the first begin with the closing quote. */
  readonly #fixed: readonly Uint8Array[]
  readonly #event: TextEvent
  /** The text of the last frame that matched is between these positions. */
  textStart = 0
  textEnd = 0

  private constructor(fixed: readonly Uint8Array[], event: TextEvent) {
    this.#fixed = fixed
    this.#event = event
  }

  /** Undefined if the position of the text is not certain. */
  static of(frame: Uint8Array, event: TextEvent, { member, decode }: TextMember): FrameTemplate | undefined {
    // A lone carriage return could be half of a line end.
    if (frame.at(-1) !== LF) return undefined
    const textStart = findValue(frame, member)
    const textEnd = textStart > 0 ? endOfString(frame, textStart) : -1
    if (textEnd === -1 || decode(frame.subarray(textStart, textEnd)) !== event.text) return undefined
    const paddingStart = findValue(frame, PADDING_MEMBER)
    const paddingEnd = paddingStart > textEnd ? endOfString(frame, paddingStart) : -1
    // Copies: a template must not keep the received chunk in memory.
    const fixed =
      paddingEnd === -1
        ? [frame.slice(0, textStart), frame.slice(textEnd)]
        : [frame.slice(0, textStart), frame.slice(textEnd, paddingStart), frame.slice(paddingEnd)]
    return new FrameTemplate(fixed, event)
  }

  /** The end of the frame that begins at a position; -1 if it does not match. */
  match(bytes: Uint8Array, from: number): number {
    const fixed = this.#fixed
    let at = from
    for (let index = 0; ; index += 1) {
      const piece = fixed[index]!
      if (!hasAt(bytes, at, piece)) return -1
      at += piece.length
      if (index === fixed.length - 1) return at
      const end = endOfString(bytes, at)
      if (end === -1) return -1
      if (index === 0) {
        if (end === at) return -1 // a chunk without text has no event
        this.textStart = at
        this.textEnd = end
      }
      at = end
    }
  }

  eventOf(text: string): TextEvent {
    const { type, block } = this.#event
    return { type, block, text }
  }
}

/**
 * Where the only string member of this name begins, behind its quote. Quotes inside strings are escaped, so a single
 * match of the name is the member that was parsed.
 */
function findValue(frame: Uint8Array, member: string): number {
  const key = `"${member}":`
  const found = indexOfText(frame, key, 0)
  if (found === -1 || indexOfText(frame, key, found + 1) !== -1) return -1
  let at = found + key.length
  while (frame[at] === SPACE) at += 1
  return frame[at] === QUOTE ? at + 1 : -1
}

/** Where a string ends that has no escapes; -1 for any other. */
function endOfString(bytes: Uint8Array, from: number): number {
  const { length } = bytes
  for (let at = from; at < length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) return at
    if (byte < SPACE || byte === BACKSLASH) return -1
  }
  return -1
}

function hasAt(bytes: Uint8Array, from: number, piece: Uint8Array): boolean {
  const { length } = piece
  if (from + length > bytes.length) return false
  for (let at = 0; at < length; at += 1) if (bytes[from + at] !== piece[at]) return false
  return true
}

function indexOfText(bytes: Uint8Array, text: string, from: number): number {
  const first = text.charCodeAt(0)
  for (let start = bytes.indexOf(first, from); start !== -1; start = bytes.indexOf(first, start + 1)) {
    let length = 1
    while (length < text.length && bytes[start + length] === text.charCodeAt(length)) length += 1
    if (length === text.length) return start
  }
  return -1
}
