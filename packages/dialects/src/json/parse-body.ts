import { DialectError } from '../dialect-error.ts'
import { asTree, type Tree } from '../tree.ts'

/** No honest request is nested deeper; a serializer would run out of stack on one that is. */
const DEEPEST = 500

/** The object a request body holds. */
export function parseBody(text: string): Tree {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new DialectError('invalid_json')
  }
  const tree = asTree(value)
  if (!tree) throw new DialectError('invalid_request', 'the body must be an object')
  if (isTooDeep(tree)) throw new DialectError('invalid_request', `the body is nested deeper than ${DEEPEST} levels`)
  return tree
}

/** Level by level and without recursion, which is what too deep a value would break. */
function isTooDeep(tree: Tree): boolean {
  let level: object[] = [tree]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true
    const next: object[] = []
    for (const node of level) {
      for (const value of Object.values(node) as unknown[]) {
        if (typeof value === 'object' && value !== null) next.push(value)
      }
    }
    level = next
  }
  return false
}
