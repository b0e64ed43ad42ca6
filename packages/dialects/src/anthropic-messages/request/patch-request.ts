import type { BodyChanges, RequestOverrides, RequestHead } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, type JsonObject } from '../../json/json-object.ts'
import { withoutForeignBlocks, withoutThinking } from '../signatures.ts'
import { relaxToolChoice, MIN_BUDGET, raiseLimitAbove, allowsThinking } from './thinking.ts'

export function passThroughChanges(
  { body, stream }: Pick<RequestHead, 'body' | 'stream'>,
  overrides: RequestOverrides,
): BodyChanges {
  const changes: BodyChanges = {}
  if (body.model !== overrides.model) changes.model = overrides.model
  if (stream !== overrides.stream) changes.stream = overrides.stream
  if (overrides.systemPrompt) changes.system = withSystemPrompt(body.system, overrides.systemPrompt)
  const messages = asList(body.messages)
  const sent = overrides.withoutThinking ? withoutThinking(messages) : withoutForeignBlocks(messages)
  if (sent !== messages) {
    changes.messages = sent
    // The open turn started with thinking that is now removed. The turn must finish without thinking.
    if (asJsonObject(body.thinking)?.type === 'enabled' && !allowsThinking(sent)) changes.thinking = undefined
  }
  return changes
}

/**
 * Puts the operator's prompt before the client's. In a list it is a separate block, so that the other blocks keep their
 * cache_control.
 */
function withSystemPrompt(system: unknown, prompt: string): unknown {
  if (Array.isArray(system)) return [{ type: 'text', text: prompt }, ...(system as unknown[])]
  return typeof system === 'string' && system !== '' ? `${prompt}\n\n${system}` : prompt
}

/** Leaves 1024 tokens for thinking at the default share of 0.8. */
const MIN_MAX_TOKENS = 1280

interface ThinkingOptions {
  /** Share of the limit for thinking, from 0 to 1. */
  readonly budgetShare: number
  readonly defaultMaxTokens: number
}

/**
 * Enables thinking for a model name that asks for it. The client's own thinking options take precedence, and a turn
 * that does not allow thinking finishes without it. Always sets a limit.
 */
export function enableThinking(body: JsonObject, { budgetShare, defaultMaxTokens }: ThinkingOptions): BodyChanges {
  if (asJsonObject(body.thinking) || !allowsThinking(asList(body.messages)))
    return ensureMaxTokens(body, defaultMaxTokens)
  const maxTokens = Math.max(MIN_MAX_TOKENS, asCount(body.max_tokens) || defaultMaxTokens)
  const budget = Math.min(maxTokens - 1, Math.max(MIN_BUDGET, Math.floor(maxTokens * budgetShare)))
  const changes: BodyChanges = { thinking: { type: 'enabled', budget_tokens: budget }, temperature: 1 }
  if (body.max_tokens !== maxTokens) changes.max_tokens = maxTokens
  // The provider rejects these together with thinking.
  if (body.top_p !== undefined) changes.top_p = undefined
  if (body.top_k !== undefined) changes.top_k = undefined
  const choice = asJsonObject(body.tool_choice)
  const relaxed = relaxToolChoice(choice)
  if (relaxed !== choice) changes.tool_choice = relaxed
  return changes
}

/** Sets the required limit if the client set none, above the thinking budget. */
export function ensureMaxTokens(body: JsonObject, defaultMaxTokens: number): BodyChanges {
  if (body.max_tokens !== undefined && body.max_tokens !== null) return {}
  const budget = asCount(asJsonObject(body.thinking)?.budget_tokens)
  return { max_tokens: raiseLimitAbove(budget, defaultMaxTokens) }
}
