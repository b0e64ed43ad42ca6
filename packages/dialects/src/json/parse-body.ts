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
  if (isDeeperThan(DEEPEST, tree))
    throw new DialectError('invalid_request', `the body is nested deeper than ${DEEPEST} levels`)
  return tree
}

/** Goes no deeper itself than it lets a value go. */
function isDeeperThan(levels: number, node: object): boolean {
  if (levels < 0) return true
  if (Array.isArray(node)) {
    for (const value of node as unknown[]) if (isNode(value) && isDeeperThan(levels - 1, value)) return true
    return false
  }
  for (const name in node) {
    const value = (node as Tree)[name]
    if (isNode(value) && isDeeperThan(levels - 1, value)) return true
  }
  return false
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
