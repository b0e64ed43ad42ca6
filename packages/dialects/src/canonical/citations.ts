import type { Citation, TextPart } from './content.ts'

/** Available in every runtime, but missing in the type declarations. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string }

export interface Span {
  readonly start: number
  readonly end: number
}

/** Span of a citation in the text of its block, as indexes of the string. */
export function spanOf({ span }: Citation, text: string): Span {
  if (!span) return { start: 0, end: text.length }
  const indexOf = span.unit === 'bytes' ? indexOfByte : indexOfCharacter
  const start = indexOf(text, span.start)
  return { start, end: Math.max(start, indexOf(text, span.end)) }
}

/** OpenAI counts characters, not the units of a JavaScript string. */
export function charactersOf(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1
  return count
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

function indexOfCharacter(text: string, count: number): number {
  let index = 0
  for (let rest = count; rest > 0 && index < text.length; rest -= 1) index += text.codePointAt(index)! > 0xffff ? 2 : 1
  return index
}

function indexOfByte(text: string, offset: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, Math.max(0, offset))).length
}

/** Pieces of a text that end where a citation ends, with their citations. */
export function splitAtCitations({ text, citations = [] }: TextPart): TextPart[] {
  const pieces: { text: string; citations: Citation[] }[] = []
  let written = 0
  let lastEnd = -1
  const spans = citations.map((citation) => ({ citation, ...spanOf(citation, text) }))
  for (const { citation, start, end } of spans.toSorted((one, other) => one.end - other.end)) {
    if (end === lastEnd) {
      pieces.at(-1)!.citations.push(citation)
      continue
    }
    if (start > written) pieces.push({ text: text.slice(written, start), citations: [] })
    pieces.push({ text: text.slice(Math.max(start, written), end), citations: [citation] })
    written = end
    lastEnd = end
  }
  if (written < text.length || pieces.length === 0) pieces.push({ text: text.slice(written), citations: [] })
  return pieces.map((piece) => ({ type: 'text', ...piece }))
}
