import { listedModel } from '@tidegate/contract'
import type { RequestHead } from '@tidegate/dialects'

const REASONING_NAMES = /^(o\d|gpt-[5-9]|grok-[4-9])|thinking|reason/

/** Models that may produce many tokens before the first visible one. */
export function isReasoning(model: string): boolean {
  const reasoning = listedModel(model)?.capabilities?.reasoning
  return reasoning === undefined ? REASONING_NAMES.test(model) : Boolean(reasoning)
}

const ALWAYS_HIDDEN = /^(o\d|gpt-[5-9]|grok-[4-9]|gemini-(2\.5|[3-9]))/
const ASKS_FOR_REASONING = /"(thinking|thinkingConfig|reasoning|reasoning_effort)"/

/** Whether the model bills reasoning tokens that its stream does not show, or shows in summary only. */
export function hidesReasoning(model: string, { text }: Pick<RequestHead, 'text'>): boolean {
  return ALWAYS_HIDDEN.test(model) || (model.includes('claude') && ASKS_FOR_REASONING.test(text))
}
