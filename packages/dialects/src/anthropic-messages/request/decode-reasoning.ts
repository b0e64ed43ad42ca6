import type { Reasoning } from '../../canonical/index.ts'
import { asCount, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'

export function decodeReasoning(tree: JsonObject): Reasoning | undefined {
  const thinking = asJsonObject(tree.thinking)
  const effort = asText(asJsonObject(tree.output_config)?.effort) || undefined
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

function isShown({ display }: JsonObject): boolean {
  return display !== 'omitted'
}
