import { asJsonObject, asList, type BodyChanges, type JsonObject } from '@tidegate/dialects'
import type { AdaptContext, RequestAdaptation } from '../provider.ts'

const EFFORT_SUFFIX = /-(high|medium|low)$/
const ALWAYS_REASONS = /^(o\d|gpt-5)/
const ACCEPTS_EFFORT_SUFFIX = /^(o\d|grok-3-mini)/

/** Handles effort suffixes of model names and the rules of reasoning models. */
export function adaptChat(body: JsonObject, { model }: AdaptContext): RequestAdaptation {
  const changes: BodyChanges = {}
  const effort = ACCEPTS_EFFORT_SUFFIX.test(model) ? EFFORT_SUFFIX.exec(model)?.[1] : undefined
  const name = effort ? model.replace(EFFORT_SUFFIX, '') : model
  if (effort) changes.reasoning_effort = effort
  if (ALWAYS_REASONS.test(name) && body.max_tokens !== undefined) {
    changes.max_tokens = undefined
    changes.max_completion_tokens = body.max_completion_tokens ?? body.max_tokens
  }
  if (/^o\d/.test(name)) {
    if (body.temperature !== undefined) changes.temperature = undefined
    const messages = toDeveloperMessage(asList(body.messages))
    if (messages) changes.messages = messages
  }
  const requested = typeof body.reasoning_effort === 'string' ? body.reasoning_effort : undefined
  return { model: name, changes, reasoningEffort: effort ?? requested }
}

/** `ChatApi.keepsPlain` for `adaptChat`. */
export function keepsPlainChat(model: string, { hasMaxTokens }: { readonly hasMaxTokens: boolean }): boolean {
  if (/^o\d/.test(model) || (ACCEPTS_EFFORT_SUFFIX.test(model) && EFFORT_SUFFIX.test(model))) return false
  return !hasMaxTokens || !ALWAYS_REASONS.test(model)
}

/** These models take a `developer` message instead of a `system` message. */
function toDeveloperMessage(messages: readonly unknown[]): unknown[] | undefined {
  const [first, ...rest] = messages
  const message = asJsonObject(first)
  return message?.role === 'system' ? [{ ...message, role: 'developer' }, ...rest] : undefined
}

/** Models that reason. Other models reject reasoning settings. */
const REASONS = /^(o\d|gpt-([5-9]|oss)|codex|computer-use|grok|deepseek)/

export function adaptResponses(body: JsonObject, { model, isPassThrough }: AdaptContext): RequestAdaptation {
  // Reasoning settings that come from another protocol are dropped, because the model would reject the request.
  if (!isPassThrough && body.reasoning !== undefined && !REASONS.test(model)) {
    return { changes: { reasoning: undefined, include: undefined } }
  }
  const effort = EFFORT_SUFFIX.exec(model)?.[1]
  const reasoning = asJsonObject(body.reasoning)
  const requested = typeof reasoning?.effort === 'string' ? reasoning.effort : undefined
  if (!effort) return { reasoningEffort: requested }
  return {
    model: model.replace(EFFORT_SUFFIX, ''),
    changes: { reasoning: { ...reasoning, effort } },
    reasoningEffort: effort,
  }
}

/** Limits a number in the body to the range the provider accepts. A missing value stays missing. */
export function clamp(
  body: JsonObject,
  name: string,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
): BodyChanges {
  const value = body[name]
  if (typeof value !== 'number') return {}
  const clamped = Math.min(max, Math.max(min, value))
  return clamped === value ? {} : { [name]: clamped }
}
