/** Parses a non-negative integer from the URL or user input. Returns null for other text. */
export function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
