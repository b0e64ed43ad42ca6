import { parameterRules, type ParameterRules } from '@tidegate/contract'
import { asJsonObject, asList, type BodyChanges, type JsonObject } from '@tidegate/dialects'
import type { AdaptContext, RequestAdaptation } from '../provider.ts'

const EFFORT_SUFFIX = /-(high|medium|low)$/

/** Handles effort suffixes of model names and the parameter rules of the model. */
export function adaptChat(body: JsonObject, { model, isPassThrough }: AdaptContext): RequestAdaptation {
  const rules = parameterRules(model)
  const suffix = rules.effortSuffix ? EFFORT_SUFFIX.exec(model)?.[1] : undefined
  const name = suffix ? model.replace(EFFORT_SUFFIX, '') : model
  const requested = typeof body.reasoning_effort === 'string' ? body.reasoning_effort : undefined
  const effort = suffix ?? (isPassThrough ? requested : nearestEffort(requested, rules))
  const changes: BodyChanges = {}
  if (effort !== requested) changes.reasoning_effort = effort
  if (rules.maxTokens && body.max_tokens !== undefined) {
    changes.max_tokens = undefined
    changes[rules.maxTokens] = body[rules.maxTokens] ?? body.max_tokens
  }
  if (rules.systemRole) {
    // Also in requests of the same protocol: earlier models of this family were used with these parameters.
    if (body.temperature !== undefined) changes.temperature = undefined
    const messages = withFirstRole(asList(body.messages), rules.systemRole)
    if (messages) changes.messages = messages
  }
  if (!isPassThrough) Object.assign(changes, samplingChanges(body, rules, effort))
  return { model: name, changes, reasoningEffort: effort }
}

/** `ChatApi.keepsPlain` for `adaptChat`. */
export function keepsPlainChat(model: string, { hasMaxTokens }: { readonly hasMaxTokens: boolean }): boolean {
  const { systemRole, effortSuffix, maxTokens } = parameterRules(model)
  if (systemRole || (effortSuffix && EFFORT_SUFFIX.test(model))) return false
  return !hasMaxTokens || maxTokens === undefined
}

/** Removes sampling options from another protocol that the model would reject. */
function samplingChanges(body: JsonObject, { sampling }: ParameterRules, effort: string | undefined): BodyChanges {
  if (sampling === undefined || (sampling === 'without effort' && effort === 'none')) return {}
  const names = ['temperature', 'top_p'].filter((name) => body[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

const ALL_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The highest effort of the model that is not above the requested one. Thinking is not switched off by this. */
function nearestEffort(requested: string | undefined, { efforts }: ParameterRules): string | undefined {
  const rank = ALL_EFFORTS.indexOf(requested ?? '')
  if (requested === undefined || rank === -1 || !efforts || efforts.includes(requested)) return requested
  const thinking = efforts.filter((effort) => effort !== 'none')
  return thinking.findLast((effort) => ALL_EFFORTS.indexOf(effort) <= rank) ?? thinking[0]
}

/** Gives another role to a first message of the system. */
function withFirstRole(messages: readonly unknown[], role: string): unknown[] | undefined {
  const [first, ...rest] = messages
  const message = asJsonObject(first)
  return message?.role === 'system' ? [{ ...message, role }, ...rest] : undefined
}

export function adaptResponses(body: JsonObject, { model, isPassThrough }: AdaptContext): RequestAdaptation {
  const rules = parameterRules(model)
  const reasoning = asJsonObject(body.reasoning)
  const requested = typeof reasoning?.effort === 'string' ? reasoning.effort : undefined
  const suffix = EFFORT_SUFFIX.exec(model)?.[1]
  const named = suffix && { model: model.replace(EFFORT_SUFFIX, '') }
  if (isPassThrough) {
    if (!suffix) return { reasoningEffort: requested }
    return { ...named, changes: { reasoning: { ...reasoning, effort: suffix } }, reasoningEffort: suffix }
  }
  const effort = suffix ?? nearestEffort(requested, rules)
  const changes: BodyChanges = { ...samplingChanges(body, rules, effort) }
  if (reasoning && !rules.reasoning) {
    // The model would reject settings that come from another protocol.
    return { changes: { ...changes, reasoning: undefined, include: undefined } }
  }
  if (effort !== requested) changes.reasoning = { ...reasoning, effort }
  return { ...named, changes, reasoningEffort: effort }
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
