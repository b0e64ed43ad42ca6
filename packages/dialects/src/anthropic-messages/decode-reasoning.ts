import type { Reasoning } from '../canonical/index.ts'
import { asCount, asText, asTree, type Tree } from '../tree.ts'

export function decodeReasoning(tree: Tree): Reasoning | undefined {
  const thinking = asTree(tree.thinking)
  const effort = asText(asTree(tree.output_config)?.effort) || undefined
  switch (thinking?.type) {
    case 'enabled':
      return { budgetTokens: asCount(thinking.budget_tokens) || undefined, effort, visible: isShown(thinking) }
    // The model decides when to think; without an effort, so does the vendor's default.
    case 'adaptive':
    case 'between_tools':
      return { effort, visible: isShown(thinking) }
    case 'disabled':
      return { effort: 'none' }
    default:
      return effort === undefined ? undefined : { effort }
  }
}

function isShown({ display }: Tree): boolean {
  return display !== 'omitted'
}
