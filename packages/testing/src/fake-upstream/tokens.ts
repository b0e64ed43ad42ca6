/**
 * Cuts a text into what this upstream calls tokens: a word with the space before it, one Chinese character, or one
 * sign. Not a real vocabulary, but exact and the same every time, so a test can recount a bill.
 */
export function tokensOf(text: string): string[] {
  return text.match(/\s*(?:\p{Script=Han}|[\p{L}\p{N}_]+|\S)|\s+$/gu) ?? []
}

export function countTokens(text: string): number {
  return tokensOf(text).length
}

/** The pieces a text is streamed in: one model token each, or slices of the length a script asks for. */
export function deltasOf(text: string, length?: number): string[] {
  return length === undefined ? tokensOf(text) : slicesOf(text, length)
}

/** Slices by code points, so that a delta is always valid text. */
function slicesOf(text: string, length: number): string[] {
  const points = [...text]
  return Array.from({ length: Math.ceil(points.length / length) }, (_, index) =>
    points.slice(index * length, (index + 1) * length).join(''),
  )
}
