/** Shorter parts are not worth an element of their own. */
const SHORTEST = 400
/** From here on a list may be cut between its entries. */
const LONG = 4_000

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST_ENTRY = /^(?:[-*+]|\d{1,9}[.)]) /
/** Lines that belong to what is before the empty line above them. */
const GOES_ON = /^(?:\s|[-*+] |\d{1,9}[.)] |>|\||:)/

/**
 * Cuts Markdown into parts that can be drawn each by itself, so that of a growing text only the last one is drawn anew.
 * A part that is followed by another never changes again, whatever comes after it.
 */
export function splitBlocks(text: string): string[] {
  const parts: string[] = []
  let fence: string | undefined
  let isFormula = false
  let wasBlank = false
  let begin = 0
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline + 1
    const line = text.slice(at, newline === -1 ? end : newline)
    // A line that is not whole may become anything: it cannot be told yet what it belongs to.
    const isCut = newline !== -1 && !fence && !isFormula && canBegin(line, { wasBlank, length: at - begin })
    if (isCut) {
      parts.push(text.slice(begin, at))
      begin = at
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence) {
      if (mark && mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = undefined
    } else if (mark) fence = mark
    else if (/^\s*(?:\$\$|\\\[|\\\])\s*$/.test(line)) isFormula = line.trim() === '$$' ? !isFormula : line.includes('[')
    wasBlank = line.trim() === ''
    at = end
  }
  parts.push(text.slice(begin))
  return parts
}

function canBegin(line: string, { wasBlank, length }: { wasBlank: boolean; length: number }): boolean {
  if (line.trim() === '' || length < SHORTEST) return false
  if (wasBlank && !GOES_ON.test(line)) return true
  return length > LONG && LIST_ENTRY.test(line)
}

/** Colours for a long piece of code cost more than there is time for between two pictures; they come when it is whole. */
const MAX_COLOURED_LENGTH = 6_000

export function withoutColours(part: string): string {
  if (part.length < MAX_COLOURED_LENGTH) return part
  const fences = [...part.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)]
  const last = fences.at(-1)
  if (!last || fences.length % 2 === 0 || last[2]!.trim() === '') return part
  const words = last.index + last[0].length
  return part.slice(0, words - last[2]!.length) + part.slice(words)
}
