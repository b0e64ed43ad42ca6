/** What stands in a masked line for the part that is not shown. */
export const MASK = '••••'

/** A comma or a line break is part of no key, save of the one document that some vendors hand out. */
export function looksLikeSeveral(text: string): boolean {
  return /[,\r\n]/.test(text.trim())
}

/** Each key once, in order. */
export function splitKeys(text: string): string[] {
  return [...new Set(text.split(/[,\r\n]/).map((key) => key.trim()))].filter((key) => key !== '')
}

/** As the server takes them: a document as it is, anything else one to a line. */
export function joinKeys(text: string, singleKey: boolean): string {
  return singleKey ? text.trim() : splitKeys(text).join('\n')
}

/** A line that stands for a stored key, which only the server knows. */
export const isMasked = (key: string): boolean => key.includes(MASK)

/** Puts what is pasted where the cursor is. */
export function insertText(text: string, pasted: string, from: number | null, to: number | null): string {
  return text.slice(0, from ?? text.length) + pasted + text.slice(to ?? from ?? text.length)
}
