/**
 * Changes members of a JSON object text and keeps every other byte. Large numbers, `1.0`, nulls and unknown fields
 * reach the provider unchanged. `undefined` removes a member. The text must be valid JSON: syntax errors are not
 * reported.
 */
export function patchMembers(text: string, changes: Readonly<Record<string, unknown>>): string {
  const members = [...topLevelMembers(text)]
  // The last of repeated names counts, as in JSON.parse. The provider must not read a different one.
  const last = new Map(members.map((member) => [member.name, member]))
  const pieces: string[] = []
  let end = text.indexOf('{') + 1
  for (const member of members) {
    const { name, start, valueStart, valueEnd } = member
    const between = text.slice(end, start)
    end = valueEnd
    if (last.get(name) !== member) continue
    const json = Object.hasOwn(changes, name) ? asJson(changes[name]) : text.slice(valueStart, valueEnd)
    if (json === undefined) continue
    pieces.push((pieces.length === 0 ? between.replace(',', '') : between) + text.slice(start, valueStart) + json)
  }
  for (const [name, value] of Object.entries(changes)) {
    const json = last.has(name) ? undefined : asJson(value)
    if (json !== undefined) pieces.push(`${pieces.length === 0 ? '' : ','}${JSON.stringify(name)}:${json}`)
  }
  return text.slice(0, text.indexOf('{') + 1) + pieces.join('') + text.slice(end)
}

/** `undefined` for values that JSON cannot represent. */
function asJson(value: unknown): string | undefined {
  return JSON.stringify(value)
}

interface Member {
  readonly name: string
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
}

export function* topLevelMembers(text: string): Generator<Member> {
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const colon = skipSpace(text, nameEnd)
    const valueStart = skipSpace(text, colon + 1)
    const valueEnd = endOfValue(text, valueStart)
    yield { name, start: at, valueStart, valueEnd }
    const comma = skipSpace(text, valueEnd)
    at = text[comma] === ',' ? skipSpace(text, comma + 1) : comma
  }
}

export function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first === '{' || first === '[') return endOfNested(text, start)
  let at = start
  while (at < text.length && !/[\s,}\]]/.test(text[at]!)) at += 1
  return at
}

function endOfNested(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
      continue
    }
    if (character === '{' || character === '[') depth += 1
    if (character === '}' || character === ']') depth -= 1
    at += 1
    if (depth === 0) return at
  }
  return at
}

/** Position after the closing quote. Jumps from quote to quote, because inline images are strings of many megabytes. */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

export function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}
