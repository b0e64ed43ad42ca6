/** The URL if the text is only an `https://` address, else null. */
export function pageAddress(text: string): URL | null {
  const trimmed = text.trim()
  return /^https:\/\/\S+$/i.test(trimmed) ? URL.parse(trimmed) : null
}
