/** Cannot be part of a key: no header carries it. */
const BLOT = '••••'
const SHOWN = 4
/** What is shown of a key must be the smaller part of it. */
const SHORTEST_SHOWN = 16
/** Anything shorter is a placeholder, and would be found in ordinary words. */
const SHORTEST_SECRET = 6

/** Enough of a key to tell it from its neighbours, and no more. */
export function maskKey(key: string): string {
  const signs = [...key.replace(/\s+/g, '')]
  if (signs.length < SHORTEST_SHOWN) return BLOT
  return signs.slice(0, SHOWN).join('') + BLOT + signs.slice(-SHOWN).join('')
}

export function isMasked(text: string): boolean {
  return text.includes(BLOT)
}

/** Takes keys out of a text that is about to be shown or stored, such as what a vendor answered. */
export function hideKeys(text: string, keys: readonly string[]): string {
  // Longest first: one key may begin with another.
  const hidden = keys.filter((key) => key.length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length)
  return hidden.reduce((shown, key) => shown.replaceAll(key, maskKey(key)), text)
}
