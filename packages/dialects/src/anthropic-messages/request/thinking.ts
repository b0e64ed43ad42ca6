import type { CanonicalRequest, Reasoning } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'

/** The vendor thinks with no less. */
export const MIN_BUDGET = 1024

/** What a limit is taken to be while nobody has set it. */
const ASSUMED_MAX_TOKENS = 8192

/** How much of the limit may go into thoughts, the rest being for the answer. */
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

/** Tokens to think with, 0 for none. */
export function thinkingBudget({ reasoning, maxTokens }: CanonicalRequest): number {
  if (!reasoning) return 0
  const { budgetTokens, effort, visible } = reasoning
  if (budgetTokens === 0) return 0
  if (budgetTokens !== undefined && budgetTokens > 0) return Math.max(MIN_BUDGET, Math.floor(budgetTokens))
  // Below zero means in some dialects that the model is free to decide. Who wants to see thoughts wants some.
  if (effort === undefined && budgetTokens === undefined && !visible) return 0
  const share = effort === undefined ? DEFAULT_SHARE : (BUDGET_SHARES.get(effort) ?? DEFAULT_SHARE)
  return share === 0 ? 0 : Math.max(MIN_BUDGET, Math.floor((maxTokens ?? ASSUMED_MAX_TOKENS) * share))
}

/** A limit above the budget, as it must be. One that is not was meant for the answer, and stays what is left for it. */
export function raiseLimitAbove(budget: number, maxTokens: number): number {
  return maxTokens > budget ? maxTokens : maxTokens + budget
}

/**
 * Whether thinking may be on. A turn the model is in the middle of, waiting for tools or begun by the client for it,
 * must start with a thought of its own: the vendor refuses the request otherwise. A conversation that another vendor's
 * model began, or whose client dropped the thoughts, has none to show, so that turn is finished without.
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

function isThinkingBlock(block: unknown): boolean {
  const type = asJsonObject(block)?.type
  return type === 'thinking' || type === 'redacted_thinking'
}

/** The vendor refuses to be held to a tool while it thinks. */
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
    // The model decides when to think; without an effort, so does the vendor's default.
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
