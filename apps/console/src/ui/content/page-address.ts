/** The page that a text consists of, if it is nothing but an `https://` address. */
export function pageAddress(text: string): URL | null {
  const trimmed = text.trim()
  return /^https:\/\/\S+$/i.test(trimmed) ? URL.parse(trimmed) : null
}
