const BLANKS = /[ \t\n\r]*/y
const TEXT = /"(?:[^"\\\t\n\r]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/** The place of the first sign that JSON does not allow. Browsers tell it in words of their own, and often not at all. */
export function findBreak(text: string): number {
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isThere = pattern.test(text)
    if (isThere) at = pattern.lastIndex
    return isThere
  }
  const sign = (wanted: string): boolean => {
    skip(BLANKS)
    if (text[at] !== wanted) return false
    at += 1
    return true
  }
  const value = (): boolean => {
    if (sign('{')) return members('}', () => skip(TEXT) && sign(':') && value())
    if (sign('[')) return members(']', value)
    return skip(TEXT) || skip(NUMBER) || skip(WORD)
  }
  const members = (end: string, member: () => boolean): boolean => {
    if (sign(end)) return true
    do {
      skip(BLANKS)
      if (!member()) return false
    } while (sign(','))
    return sign(end)
  }
  if (value()) skip(BLANKS)
  return at
}
