/** Replaces the hidden part of a key in a masked line. */
export const MASK = '••••'

/** Keys contain no comma or line break, except documents such as service accounts. */
export function looksLikeSeveral(text: string): boolean {
  return /[,\r\n]/.test(text.trim())
}

/** Each key once, in order. */
export function splitKeys(text: string): string[] {
  return [...new Set(text.split(/[,\r\n]/).map((key) => key.trim()))].filter((key) => key !== '')
}

/** The keys in the format of the API: a document unchanged, other keys one per line. */
export function joinKeys(text: string, singleKey: boolean): string {
  return singleKey ? text.trim() : splitKeys(text).join('\n')
}

/** A stored key, which is available on the server only. */
export const isMasked = (key: string): boolean => key.includes(MASK)

/** Inserts pasted text at the cursor. */
export function insertText(text: string, pasted: string, from: number | null, to: number | null): string {
  return text.slice(0, from ?? text.length) + pasted + text.slice(to ?? from ?? text.length)
}
