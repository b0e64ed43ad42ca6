/**
 * Named values of a parsed JSON value. When its text has more of them, an object has a name twice: `JSON.parse` keeps the
 * last value, and other parsers may keep the first.
 */
export function countMembers(value: unknown): number {
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item)
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) {
      count += 1
      if (typeof member === 'object') count += countMembers(member)
    }
  }
  return count
}
