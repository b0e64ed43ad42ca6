import type { BodyChanges, RequestOverrides, RequestHead } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { thresholdsOf } from '../../google-wire/safety.ts'
import { clampBudget, isThirdGeneration, MAX_OUTPUT_TOKENS } from '../model-names.ts'
import { isWrapped } from '../../google-wire/signature-envelope.ts'
import { SKIP_VALIDATION } from '../signatures.ts'
import { readParts } from './read-request.ts'

/** The URL carries model and stream. So only the operator's prompt and foreign signatures change the body. */
export function passThroughChanges(
  { body }: Pick<RequestHead, 'body'>,
  { model, systemPrompt, withoutThinking }: Pick<RequestOverrides, 'model' | 'systemPrompt' | 'withoutThinking'>,
): BodyChanges {
  const isRemoved = withoutThinking ? hasSignature : hasForeignSignature
  const changes: BodyChanges = {}
  if (systemPrompt) {
    const name = body.system_instruction === undefined ? 'systemInstruction' : 'system_instruction'
    changes[name] = withSystemPrompt(body[name], systemPrompt)
  }
  if (asList(body.contents).some((content) => readParts(content).some(isRemoved))) {
    changes.contents = asList(body.contents).flatMap((content) => withoutSignatures(content, model, isRemoved))
  }
  return changes
}

function withSystemPrompt(system: unknown, prompt: string): JsonObject {
  const content = asJsonObject(system)
  const rest = content && 'parts' in content ? content : {}
  return { ...rest, parts: [{ text: prompt }, ...readParts(system)] }
}

/** Another provider signed this part. Google rejects signatures that it did not make. */
function hasForeignSignature(part: unknown): boolean {
  const object = asJsonObject(part)
  return object !== undefined && isWrapped(readSignatureText(object))
}

function hasSignature(part: unknown): boolean {
  const object = asJsonObject(part)
  return object !== undefined && readSignatureText(object) !== ''
}

function readSignatureText(part: JsonObject): string {
  return asText(part.thoughtSignature ?? part.thought_signature)
}

function withoutSignatures(content: unknown, model: string, isRemoved: (part: unknown) => boolean): unknown[] {
  const all = readParts(content)
  if (!all.some(isRemoved)) return [content]
  const parts = all.flatMap((part) => (isRemoved(part) ? withoutSignature(asJsonObject(part)!, model) : [part]))
  return parts.length === 0 ? [] : [{ ...asJsonObject(content), parts }]
}

function withoutSignature(
  { thoughtSignature: _camel, thought_signature: _snake, ...part }: JsonObject,
  model: string,
): JsonObject[] {
  if (part.functionCall ?? part.function_call) {
    return [isThirdGeneration(model) ? { ...part, thoughtSignature: SKIP_VALIDATION } : part]
  }
  // The part contained only the signature.
  return Object.keys(part).length === 0 || part.text === '' ? [] : [part]
}

interface ThinkingSettings {
  readonly enabled: boolean
  /** Share of the output limit for thinking. */
  readonly share: number
  /** Model names without suffixes. */
  readonly supported: readonly string[]
  maxOutputOf(model: string): number | undefined
}

interface ThinkingAdaptation {
  /** Model name without the suffix. */
  readonly model: string
  readonly changes: BodyChanges
}

const SUFFIX = /-(?:thinking(?:-(\d+))?|nothinking)$/

/**
 * Applies the suffixes `-thinking`, `-thinking-N` and `-nothinking` of a model name as a thinking budget, and shows the
 * thoughts of listed models. The client's own options take precedence.
 */
export function adaptThinking(body: JsonObject, model: string, settings: ThinkingSettings): ThinkingAdaptation {
  const [suffix, tokens] = SUFFIX.exec(model) ?? []
  const base = suffix === undefined ? model : model.slice(0, -suffix.length)
  // The suffix of an unlisted name is part of the name.
  if (!settings.enabled || !settings.supported.includes(base)) return { model, changes: {} }

  const config = asJsonObject(body.generationConfig ?? body.generation_config)
  const own = asJsonObject(config?.thinkingConfig ?? config?.thinking_config) ?? {}
  const isSet = ['thinkingBudget', 'thinking_budget', 'thinkingLevel', 'thinking_level'].some((name) => name in own)
  const budget = suffix === undefined || isSet ? undefined : clampBudget(base, budgetOf())
  const shows = suffix !== '-nothinking' && !('includeThoughts' in own || 'include_thoughts' in own)
  const thinking = {
    ...own,
    ...(budget !== undefined && { thinkingBudget: budget }),
    ...(shows && { includeThoughts: true }),
  }
  const isChanged = budget !== undefined || shows
  return { model: base, changes: isChanged ? changeConfig(body, 'thinkingConfig', 'thinking_config', thinking) : {} }

  function budgetOf(): number {
    if (suffix === '-nothinking') return 0
    if (tokens !== undefined) return Number(tokens)
    const requested = asCount(config?.maxOutputTokens ?? config?.max_output_tokens)
    return settings.share * (requested || settings.maxOutputOf(base) || MAX_OUTPUT_TOKENS)
  }
}

/** Applies the operator's thresholds by category if the client set none. */
export function adaptSafety(body: JsonObject, settings: Readonly<Record<string, string>>): BodyChanges {
  if (asList(body.safetySettings ?? body.safety_settings).length > 0) return {}
  const chosen = thresholdsOf(settings)
  if (chosen.length === 0) return {}
  return { [body.safety_settings === undefined ? 'safetySettings' : 'safety_settings']: chosen }
}

/** Image models return only text by default. The client's own option takes precedence. */
export function adaptModalities(body: JsonObject, model: string, supported: readonly string[]): BodyChanges {
  if (!supported.includes(model)) return {}
  const config = asJsonObject(body.generationConfig ?? body.generation_config)
  if ((config?.responseModalities ?? config?.response_modalities) !== undefined) return {}
  return changeConfig(body, 'responseModalities', 'response_modalities', ['TEXT', 'IMAGE'])
}

/** Changes one option of `generationConfig` in the client's spelling. */
function changeConfig(body: JsonObject, camel: string, snake: string, value: unknown): BodyChanges {
  const config = body.generation_config === undefined ? 'generationConfig' : 'generation_config'
  const before = asJsonObject(body[config]) ?? {}
  return { [config]: { ...before, [snake in before ? snake : camel]: value } }
}
