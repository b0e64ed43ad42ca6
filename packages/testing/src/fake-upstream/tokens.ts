/**
 * Splits a text into tokens of this fake: a word with its leading space, a Chinese character, or a punctuation
 * character. Deterministic, so that tests can recompute charges.
 */
export function tokensOf(text: string): string[] {
  return text.match(/\s*(?:\p{Script=Han}|[\p{L}\p{N}_]+|\S)|\s+$/gu) ?? []
}

export function countTokens(text: string): number {
  return tokensOf(text).length
}

/** The deltas of a text: one token each, or slices of the scripted length. */
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
