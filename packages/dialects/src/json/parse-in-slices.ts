/** Size of a slice, in characters and values: a few milliseconds of work before the event loop continues. */
const SLICE_LENGTH = 128 * 1024
const SLICE_VALUES = 2_000

const SPACE = /[ \t\n\r]*/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

type Container = unknown[] | Record<string, unknown>

/**
 * Parses JSON like `JSON.parse`, but in slices: the caller does other work at every `yield`. For large texts and texts
 * with many members, since `JSON.parse` needs up to three microseconds per new name. The text was scanned before, so
 * numbers and whitespace are short. `onRepeated` receives names that an object repeats. Throws a `SyntaxError`.
 */
export function* parseInSlices(text: string, onRepeated?: (name: string) => void): Generator<undefined, unknown> {
  const open: { readonly container: Container; name: string }[] = []
  let at = skipSpace(text, 0)
  let sliceEnd = SLICE_LENGTH
  let values = 0
  for (;;) {
    values += 1
    if (at > sliceEnd || values > SLICE_VALUES) {
      yield
      sliceEnd = at + SLICE_LENGTH
      values = 0
    }
    let value: unknown
    const first = text[at]
    if (first === '{' || first === '[') {
      const container: Container = first === '[' ? [] : {}
      at = skipSpace(text, at + 1)
      if (text[at] === closing(container)) at += 1
      else {
        const entered = { container, name: '' }
        open.push(entered)
        if (first === '{') at = readName(text, at, entered)
        continue
      }
      value = container
    } else if (first === '"') {
      const end = endOfShortString(text, at)
      const read = end === -1 ? yield* readLongString(text, at) : { value: parseString(text.slice(at, end)), end }
      value = read.value
      at = read.end
    } else {
      SCALAR.lastIndex = at
      const scalar = SCALAR.exec(text)?.[0]
      if (scalar === undefined) throw syntaxErrorAt(at)
      value = JSON.parse(scalar)
      at += scalar.length
    }
    // Close all containers that this value completes.
    for (;;) {
      at = skipSpace(text, at)
      const parent = open.at(-1)
      if (!parent) {
        if (at < text.length) throw syntaxErrorAt(at)
        return value
      }
      const { container } = parent
      if (Array.isArray(container)) container.push(value)
      else {
        if (onRepeated && Object.hasOwn(container, parent.name)) onRepeated(parent.name)
        setMember(container, parent.name, value)
      }
      if (text[at] === ',') {
        at = skipSpace(text, at + 1)
        if (!Array.isArray(container)) at = readName(text, at, parent)
        break
      }
      if (text[at] !== closing(container)) throw syntaxErrorAt(at)
      at += 1
      value = container
      open.pop()
    }
  }
}

function closing(container: Container): string {
  return Array.isArray(container) ? ']' : '}'
}

/** Reads a member name into `object` and returns where the value starts. A name is shorter than a slice. */
function readName(text: string, at: number, object: { name: string }): number {
  const end = text[at] === '"' ? endOfShortString(text, at) : -1
  if (end === -1) throw syntaxErrorAt(at)
  object.name = parseString(text.slice(at, end))
  const colon = skipSpace(text, end)
  if (text[colon] !== ':') throw syntaxErrorAt(colon)
  return skipSpace(text, colon + 1)
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  // An assignment would set the prototype.
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  } else object[name] = value
}

/** Position after the closing quote. -1 if the string is longer than a slice. */
function endOfShortString(text: string, start: number): number {
  const quote = closingQuote(text.slice(start + 1, start + SLICE_LENGTH))
  return quote === -1 ? -1 : start + quote + 2
}

function closingQuote(piece: string): number {
  let quote = piece.indexOf('"')
  while (quote !== -1) {
    let run = quote
    while (piece[run - 1] === '\\') run -= 1
    if ((quote - run) % 2 === 0) return quote
    quote = piece.indexOf('"', quote + 1)
  }
  return -1
}

/** Strings without escapes, such as inline images, are not copied. */
function* readLongString(text: string, start: number): Generator<undefined, { value: string; end: number }> {
  const decoded: string[] = []
  let isPlain = true
  for (let from = start + 1; from < text.length;) {
    const to = outsideEscape(text, from, from + SLICE_LENGTH)
    const piece = text.slice(from, to)
    const quote = closingQuote(piece)
    const content = quote === -1 ? piece : piece.slice(0, quote)
    const value = parseString(`"${content}"`) // an escape is longer than the character it encodes
    decoded.push(value.length === content.length ? content : value)
    isPlain &&= value.length === content.length
    yield
    if (quote !== -1) {
      const end = from + quote
      return { value: isPlain ? text.slice(start + 1, end) : decoded.join(''), end: end + 1 }
    }
    from = to
  }
  throw syntaxErrorAt(text.length)
}

function parseString(json: string): string {
  return JSON.parse(json) as string
}

const ESCAPE_LENGTH = '\\u0000'.length

/** Last position up to `to` that is outside an escape. `from` is outside an escape. */
function outsideEscape(text: string, from: number, to: number): number {
  const found = text.slice(to - ESCAPE_LENGTH + 1, to).lastIndexOf('\\')
  if (found === -1) return to
  const backslash = to - ESCAPE_LENGTH + 1 + found
  let run = backslash
  while (run > from && text[run - 1] === '\\') run -= 1
  return (backslash - run) % 2 === 0 ? backslash : to
}

function skipSpace(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code > 32) return at
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}

function syntaxErrorAt(at: number): SyntaxError {
  return new SyntaxError(`Unexpected end or character at position ${at}`)
}
