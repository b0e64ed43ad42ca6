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
