import { endOfValue, skipSpace, topLevelMembers } from '../../json/patch-members.ts'

/**
 * The arguments of a call as the vendor wrote them: parsed and written again, numbers beyond a double would change. The
 * text must have been parsed before. `undefined` when there are none at that place.
 */
export function argumentsText(text: string, candidate: number, part: number): string | undefined {
  const parts = follow(text, ['candidates', candidate, 'content', 'parts', part])
  return parts && follow(parts, ['functionCall', 'args'])
}

function follow(text: string, path: readonly (string | number)[]): string | undefined {
  let value: string | undefined = text
  for (const step of path) {
    if (value === undefined) return undefined
    value = typeof step === 'string' ? memberOf(value, step) : elementOf(value, step)
  }
  return value
}

/** Of a name given twice the last counts, as it does for JSON.parse. */
function memberOf(text: string, name: string): string | undefined {
  if (text[skipSpace(text, 0)] !== '{') return undefined
  let found: string | undefined
  for (const member of topLevelMembers(text)) {
    if (member.name === name) found = text.slice(member.valueStart, member.valueEnd)
  }
  return found
}

function elementOf(text: string, index: number): string | undefined {
  const start = skipSpace(text, 0)
  if (text[start] !== '[') return undefined
  let at = skipSpace(text, start + 1)
  for (let passed = 0; text[at] !== ']' && at < text.length; passed += 1) {
    const end = endOfValue(text, at)
    if (passed === index) return text.slice(at, end)
    const comma = skipSpace(text, end)
    at = text[comma] === ',' ? skipSpace(text, comma + 1) : comma
  }
  return undefined
}
