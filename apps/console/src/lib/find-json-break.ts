const WHITESPACE = /[ \t\n\r]*/y
const STRING = /"(?:[^"\\\t\n\r]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERAL = /true|false|null/y

/** Index of the first JSON syntax error. The messages of `JSON.parse` differ by browser and may lack the position. */
export function findBreak(text: string): number {
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isMatch = pattern.test(text)
    if (isMatch) at = pattern.lastIndex
    return isMatch
  }
  const consume = (expected: string): boolean => {
    skip(WHITESPACE)
    if (text[at] !== expected) return false
    at += 1
    return true
  }
  const value = (): boolean => {
    if (consume('{')) return members('}', () => skip(STRING) && consume(':') && value())
    if (consume('[')) return members(']', value)
    return skip(STRING) || skip(NUMBER) || skip(LITERAL)
  }
  const members = (end: string, member: () => boolean): boolean => {
    if (consume(end)) return true
    do {
      skip(WHITESPACE)
      if (!member()) return false
    } while (consume(','))
    return consume(end)
  }
  if (value()) skip(WHITESPACE)
  return at
}
