import type { BodyChanges, RequestHead, RequestOverrides } from '../../canonical/index.ts'
import { isWrapped } from '../../google-wire/signature-envelope.ts'
import { thresholdsOf } from '../../google-wire/safety.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { isForeignSearchId } from '../ids.ts'

/** Changes only the fields that the gateway sets. Everything else is forwarded unchanged. */
export function passThroughChanges(
  { body, stream }: Pick<RequestHead, 'body' | 'stream'>,
  overrides: RequestOverrides,
): BodyChanges {
  const changes: BodyChanges = {}
  if (body.model !== overrides.model) changes.model = overrides.model
  if (stream !== overrides.stream) changes.stream = overrides.stream
  if (overrides.systemPrompt) {
    changes.system_instruction = prefixInstruction(body.system_instruction, overrides.systemPrompt)
  }
  if (Array.isArray(body.input)) {
    const isRemoved = overrides.withoutThinking ? isThoughtOrForeign : isForeign
    if (body.input.some(isRemoved)) changes.input = body.input.filter((step) => !isRemoved(step))
  }
  return changes
}

function prefixInstruction(instruction: unknown, prompt: string): unknown {
  if (typeof instruction === 'string' && instruction !== '') return `${prompt}\n\n${instruction}`
  const content = asJsonObject(instruction)
  return content ? { ...content, text: `${prompt}\n\n${asText(content.text)}` } : prompt
}

/** Another provider made the step in an earlier turn. Google rejects signatures and calls that it did not make. */
function isForeign(value: unknown): boolean {
  const step = asJsonObject(value) ?? {}
  if (step.type === 'thought') return isWrapped(asText(step.signature))
  return isForeignSearchId(asText(step.id) || asText(step.call_id))
}

function isThoughtOrForeign(value: unknown): boolean {
  return asJsonObject(value)?.type === 'thought' || isForeign(value)
}

const CATEGORY_PREFIX = 'HARM_CATEGORY_'

/** Applies the operator's thresholds by category if the client set none. This protocol has its own names. */
export function adaptSafety(body: JsonObject, settings: Readonly<Record<string, string>>): BodyChanges {
  if (asList(body.safety_settings).length > 0) return {}
  const chosen = thresholdsOf(settings).map(({ category, threshold }) => ({
    type: category.slice(CATEGORY_PREFIX.length).toLowerCase(),
    threshold: threshold.toLowerCase(),
  }))
  return chosen.length === 0 ? {} : { safety_settings: chosen }
}
