/** Minimum length of a part. */
const MIN_LENGTH = 400
/** Longer lists are split between their entries. */
const LONG_LIST = 4_000

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST_ENTRY = /^(?:[-*+]|\d{1,9}[.)]) /
/** Lines that continue the block before an empty line. */
const CONTINUES = /^(?:\s|[-*+] |\d{1,9}[.)] |>|\||:)/

/**
 * Splits Markdown into parts that render independently, so that only the last part of a growing text renders again.
 * Text that is appended later never changes the parts before the last one.
 */
export function splitBlocks(text: string): string[] {
  const parts: string[] = []
  let fence: string | undefined
  let isFormula = false
  let wasBlank = false
  let start = 0
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline + 1
    const line = text.slice(at, newline === -1 ? end : newline)
    // The type of an incomplete line is not known yet.
    const isSplit = newline !== -1 && !fence && !isFormula && canStartPart(line, { wasBlank, length: at - start })
    if (isSplit) {
      parts.push(text.slice(start, at))
      start = at
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence) {
      if (mark && mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = undefined
    } else if (mark) fence = mark
    else if (/^\s*(?:\$\$|\\\[|\\\])\s*$/.test(line)) isFormula = line.trim() === '$$' ? !isFormula : line.includes('[')
    wasBlank = line.trim() === ''
    at = end
  }
  parts.push(text.slice(start))
  return parts
}

function canStartPart(line: string, { wasBlank, length }: { wasBlank: boolean; length: number }): boolean {
  if (line.trim() === '' || length < MIN_LENGTH) return false
  if (wasBlank && !CONTINUES.test(line)) return true
  return length > LONG_LIST && LIST_ENTRY.test(line)
}

/** Highlighting longer code takes more than one frame. It is highlighted when it is complete. */
const MAX_HIGHLIGHTED_LENGTH = 6_000

/** Removes the language of a long code block that is still open. */
export function withoutHighlighting(part: string): string {
  if (part.length < MAX_HIGHLIGHTED_LENGTH) return part
  const fences = [...part.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)]
  const last = fences.at(-1)
  if (!last || fences.length % 2 === 0 || last[2]!.trim() === '') return part
  const end = last.index + last[0].length
  return part.slice(0, end - last[2]!.length) + part.slice(end)
}
