import type { BodyChanges } from '../../canonical/index.ts'
import { asCount, asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { freeChoice, LEAST_BUDGET, limitAbove, mayThink } from './thinking.ts'

/** Leaves 1024 tokens for thoughts at the usual share of 0.8. */
const LEAST_MAX_TOKENS = 1280

export interface ThinkingWish {
  /** How much of the limit may go into thoughts, 0 to 1. */
  readonly budgetShare: number
  readonly defaultMaxTokens: number
}

/**
 * Turns thinking on in a body for the vendor, for a name that asks for it. A client that says itself how it wants the
 * model to think has its way; a turn that may not think is finished without. The limit is always there afterwards.
 */
export function thinkingChanges(tree: JsonObject, { budgetShare, defaultMaxTokens }: ThinkingWish): BodyChanges {
  if (asJsonObject(tree.thinking) || !mayThink(asList(tree.messages))) return withMaxTokens(tree, defaultMaxTokens)
  const maxTokens = Math.max(LEAST_MAX_TOKENS, asCount(tree.max_tokens) || defaultMaxTokens)
  const budget = Math.min(maxTokens - 1, Math.max(LEAST_BUDGET, Math.floor(maxTokens * budgetShare)))
  const changes: BodyChanges = { thinking: { type: 'enabled', budget_tokens: budget }, temperature: 1 }
  if (tree.max_tokens !== maxTokens) changes.max_tokens = maxTokens
  // Refused beside thinking.
  if (tree.top_p !== undefined) changes.top_p = undefined
  if (tree.top_k !== undefined) changes.top_k = undefined
  const choice = asJsonObject(tree.tool_choice)
  const free = freeChoice(choice)
  if (free !== choice) changes.tool_choice = free
  return changes
}

/** Sets the limit the vendor insists on where the client set none, with room above what it may think. */
export function withMaxTokens(tree: JsonObject, defaultMaxTokens: number): BodyChanges {
  if (tree.max_tokens !== undefined && tree.max_tokens !== null) return {}
  const budget = asCount(asJsonObject(tree.thinking)?.budget_tokens)
  return { max_tokens: limitAbove(budget, defaultMaxTokens) }
}
