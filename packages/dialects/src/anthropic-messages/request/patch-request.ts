import type { BodyChanges, OwnedFields, RequestHead } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, type JsonObject } from '../../json/json-object.ts'
import { withoutForeignThinking } from '../signatures.ts'
import { relaxToolChoice, MIN_BUDGET, raiseLimitAbove, allowsThinking } from './thinking.ts'

export function passThroughChanges(
  { tree: body, stream }: Pick<RequestHead, 'tree' | 'stream'>,
  owned: OwnedFields,
): BodyChanges {
  const changes: BodyChanges = {}
  if (body.model !== owned.model) changes.model = owned.model
  if (stream !== owned.stream) changes.stream = owned.stream
  if (owned.systemPrompt) changes.system = withSystemPrompt(body.system, owned.systemPrompt)
  const messages = asList(body.messages)
  const sent = withoutForeignThinking(messages)
  if (sent !== messages) {
    changes.messages = sent
    // A turn begun with another vendor's thoughts has none to start with now, and must be finished without.
    if (asJsonObject(body.thinking)?.type === 'enabled' && !allowsThinking(sent)) changes.thinking = undefined
  }
  return changes
}

/** An operator's words come before the client's; before blocks as one of their own, so that those keep their marks. */
function withSystemPrompt(system: unknown, prompt: string): unknown {
  if (Array.isArray(system)) return [{ type: 'text', text: prompt }, ...(system as unknown[])]
  return typeof system === 'string' && system !== '' ? `${prompt}\n\n${system}` : prompt
}

/** Leaves 1024 tokens for thoughts at the usual share of 0.8. */
const MIN_MAX_TOKENS = 1280

interface ThinkingOptions {
  /** How much of the limit may go into thoughts, 0 to 1. */
  readonly budgetShare: number
  readonly defaultMaxTokens: number
}

/**
 * Turns thinking on in a body for the vendor, for a name that asks for it. A client that says itself how it wants the
 * model to think has its way; a turn that may not think is finished without. The limit is always there afterwards.
 */
export function enableThinking(body: JsonObject, { budgetShare, defaultMaxTokens }: ThinkingOptions): BodyChanges {
  if (asJsonObject(body.thinking) || !allowsThinking(asList(body.messages)))
    return ensureMaxTokens(body, defaultMaxTokens)
  const maxTokens = Math.max(MIN_MAX_TOKENS, asCount(body.max_tokens) || defaultMaxTokens)
  const budget = Math.min(maxTokens - 1, Math.max(MIN_BUDGET, Math.floor(maxTokens * budgetShare)))
  const changes: BodyChanges = { thinking: { type: 'enabled', budget_tokens: budget }, temperature: 1 }
  if (body.max_tokens !== maxTokens) changes.max_tokens = maxTokens
  // Refused beside thinking.
  if (body.top_p !== undefined) changes.top_p = undefined
  if (body.top_k !== undefined) changes.top_k = undefined
  const choice = asJsonObject(body.tool_choice)
  const relaxed = relaxToolChoice(choice)
  if (relaxed !== choice) changes.tool_choice = relaxed
  return changes
}

/** Sets the limit the vendor insists on where the client set none, with room above what it may think. */
export function ensureMaxTokens(body: JsonObject, defaultMaxTokens: number): BodyChanges {
  if (body.max_tokens !== undefined && body.max_tokens !== null) return {}
  const budget = asCount(asJsonObject(body.thinking)?.budget_tokens)
  return { max_tokens: raiseLimitAbove(budget, defaultMaxTokens) }
}
