import { asList, asTree, type Tree } from '../tree.ts'

/** The objects of a list, without whatever else strayed into it. */
export function treesIn(list: unknown): Tree[] {
  return asList(list).filter((value): value is Tree => asTree(value) !== undefined)
}
