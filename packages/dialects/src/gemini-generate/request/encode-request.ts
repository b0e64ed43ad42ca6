import type { CanonicalRequest, EncodeOptions } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { canThink, clampBudget, isThirdGeneration, MAX_OUTPUT_TOKENS } from '../model-names.ts'
import { encodeSchema } from '../schema/encode-schema.ts'
import { encodeContents } from './encode-content.ts'
import { encodeTools } from './tools.ts'

/** Body for Google. The URL carries the model and the stream flag. */
export function encodeRequest(request: CanonicalRequest, { dropped }: EncodeOptions = {}): JsonObject {
  const { contents, system } = encodeContents(request)
  const config = encodeConfig(request)
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    contents,
    ...encodeTools(request, dropped),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  }
}

function encodeConfig(request: CanonicalRequest): JsonObject {
  const { seed, frequencyPenalty, presencePenalty, stop } = request
  const thinking = encodeThinking(request)
  const settings: JsonObject = {
    maxOutputTokens: request.maxTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: stop && stop.length > 0 ? stop : undefined,
    // Google's seeds have 32 bits.
    seed: seed !== undefined && (seed | 0) === seed ? seed : undefined,
    // Many models reject penalties, and clients often send zero.
    frequencyPenalty: frequencyPenalty || undefined,
    presencePenalty: presencePenalty || undefined,
    thinkingConfig: Object.keys(thinking).length > 0 ? thinking : undefined,
    ...encodeOutput(request.output),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/**
 * Every model with structured output accepts `responseSchema`, on both of Google's APIs. `responseJsonSchema` has more
 * keywords, but only newer models accept it.
 */
function encodeOutput(output: CanonicalRequest['output']): JsonObject {
  if (!output) return {}
  const schema = output.type === 'schema' ? encodeSchema(output.schema, 'response') : undefined
  return { responseMimeType: 'application/json', ...(schema && { responseSchema: schema }) }
}

/** Share of the output limit for thinking, by effort. */
const BUDGET_SHARES: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.9,
  max: 0.9,
}

function encodeThinking({ reasoning, model, maxTokens }: CanonicalRequest): JsonObject {
  if (!reasoning || !canThink(model)) return {}
  const { effort, budgetTokens, visible } = reasoning
  const visibility = visible === true && effort !== 'none' && { includeThoughts: true }
  if (budgetTokens !== undefined) return { thinkingBudget: clampBudget(model, budgetTokens), ...visibility }
  if (effort === undefined) return { ...visibility }
  // From the third generation on, a level replaces the budget.
  if (isThirdGeneration(model)) return { ...encodeLevel(effort, model), ...visibility }
  if (effort === 'none') return { thinkingBudget: clampBudget(model, 0) }
  const share = BUDGET_SHARES[effort]
  const budget = share !== undefined && { thinkingBudget: clampBudget(model, share * (maxTokens ?? MAX_OUTPUT_TOKENS)) }
  return { ...budget, ...visibility }
}

const LEVELS: Readonly<Record<string, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

function encodeLevel(effort: string, model: string): JsonObject {
  const level = LEVELS[effort]
  if (!level) return {}
  // Pro models always think, and gemini-3-pro has no medium level.
  if (level === 'MINIMAL' && model.includes('-pro')) return { thinkingLevel: 'LOW' }
  if (level === 'MEDIUM' && /gemini-3-pro/.test(model)) return { thinkingLevel: 'HIGH' }
  return { thinkingLevel: level }
}
