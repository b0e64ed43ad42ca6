import type { CanonicalRequest, Reasoning } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { isThinkingBlock } from '../signatures.ts'

/** The provider rejects a smaller budget. */
export const MIN_BUDGET = 1024

/** Assumed limit if none is set. */
const ASSUMED_MAX_TOKENS = 8192

/** Share of the limit for thinking, by effort. */
const BUDGET_SHARES = new Map([
  ['none', 0],
  ['minimal', 0],
  ['low', 0.2],
  ['medium', 0.5],
  ['high', 0.8],
  ['xhigh', 0.8],
  ['max', 0.8],
])
const DEFAULT_SHARE = 0.5

/** Thinking budget in tokens. 0 disables thinking. */
export function thinkingBudget({ reasoning, maxTokens }: CanonicalRequest): number {
  if (!reasoning) return 0
  const { budgetTokens, effort, visible } = reasoning
  if (budgetTokens === 0) return 0
  if (budgetTokens !== undefined && budgetTokens > 0) return Math.max(MIN_BUDGET, Math.floor(budgetTokens))
  // A negative budget lets the model decide in some protocols. A client that wants to see thinking gets some.
  if (effort === undefined && budgetTokens === undefined && !visible) return 0
  const share = effort === undefined ? DEFAULT_SHARE : (BUDGET_SHARES.get(effort) ?? DEFAULT_SHARE)
  return share === 0 ? 0 : Math.max(MIN_BUDGET, Math.floor((maxTokens ?? ASSUMED_MAX_TOKENS) * share))
}

/**
 * Returns a limit above the budget, as the provider requires. A lower limit is taken as the limit for the visible
 * response.
 */
export function raiseLimitAbove(budget: number, maxTokens: number): number {
  return maxTokens > budget ? maxTokens : maxTokens + budget
}

/**
 * Whether thinking may be enabled. A turn that waits for tool results or was started by the client must begin with
 * thinking, or the provider rejects the request. If another provider's model started the turn, or the client dropped
 * the thinking, the turn finishes without it.
 */
export function allowsThinking(messages: readonly unknown[]): boolean {
  let isTurnOpen = false
  for (const value of messages.toReversed()) {
    const message = asJsonObject(value)
    const blocks = asList(message?.content)
    if (message?.role === 'assistant') {
      if (isThinkingBlock(blocks[0])) return true
      isTurnOpen = true
    } else if (message?.role === 'user' && !blocks.some((block) => asJsonObject(block)?.type === 'tool_result')) {
      return !isTurnOpen
    }
  }
  return !isTurnOpen
}

/** The provider rejects a forced tool while thinking is enabled. */
export function relaxToolChoice(choice: JsonObject | undefined): JsonObject | undefined {
  if (choice?.type !== 'any' && choice?.type !== 'tool') return choice
  const { name: _name, ...rest } = choice
  return { ...rest, type: 'auto' }
}

export function decodeReasoning(body: JsonObject): Reasoning | undefined {
  const thinking = asJsonObject(body.thinking)
  const effort = asText(asJsonObject(body.output_config)?.effort) || undefined
  switch (thinking?.type) {
    case 'enabled':
      return { budgetTokens: asCount(thinking.budget_tokens) || undefined, effort, visible: isVisible(thinking) }
    // The model decides when to think. Without an effort the provider's default applies.
    case 'adaptive':
    case 'between_tools':
      return { effort, visible: isVisible(thinking) }
    case 'disabled':
      return { effort: 'none' }
    default:
      return effort === undefined ? undefined : { effort }
  }
}

function isVisible({ display }: JsonObject): boolean {
  return display !== 'omitted'
}
