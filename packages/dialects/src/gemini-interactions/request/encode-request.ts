import type { CanonicalRequest, EncodeOptions, OutputFormat, Reasoning } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { encodeInput } from './encode-content.ts'
import { encodeTools } from './tools.ts'

export function encodeRequest(request: CanonicalRequest, { dropped }: EncodeOptions = {}): JsonObject {
  const { input, system } = encodeInput(request)
  const { tools, toolChoice } = encodeTools(request, dropped)
  const config = encodeConfig(request, toolChoice)
  return {
    model: request.model,
    ...(system !== '' && { system_instruction: system }),
    input,
    ...(tools && { tools }),
    ...(Object.keys(config).length > 0 && { generation_config: config }),
    ...(request.output && { response_format: encodeFormat(request.output) }),
    ...(request.stream && { stream: true }),
    store: false,
  }
}

function encodeConfig(request: CanonicalRequest, toolChoice: unknown): JsonObject {
  const { seed, stop } = request
  const settings: JsonObject = {
    max_output_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop_sequences: stop && stop.length > 0 ? stop : undefined,
    // Google's seeds have 32 bits.
    seed: seed !== undefined && (seed | 0) === seed ? seed : undefined,
    ...encodeThinking(request.reasoning),
    tool_choice: toolChoice,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

function encodeFormat(output: OutputFormat): JsonObject {
  return { type: 'text', mime_type: 'application/json', ...(output.type === 'schema' && { schema: output.schema }) }
}

const LEVELS: Readonly<Record<string, string>> = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}
const LOW_BUDGET = 2048
const MEDIUM_BUDGET = 12_288

function encodeThinking(reasoning: Reasoning | undefined): JsonObject {
  if (!reasoning) return {}
  const level = LEVELS[reasoning.effort ?? levelOfBudget(reasoning.budgetTokens)]
  return {
    ...(level !== undefined && { thinking_level: level }),
    ...(reasoning.visible === true && { thinking_summaries: 'auto' }),
  }
}

/** Empty without a budget: the model's default applies. */
function levelOfBudget(budget: number | undefined): string {
  if (budget === undefined || budget < 0) return ''
  if (budget === 0) return 'minimal'
  if (budget <= LOW_BUDGET) return 'low'
  return budget <= MEDIUM_BUDGET ? 'medium' : 'high'
}
