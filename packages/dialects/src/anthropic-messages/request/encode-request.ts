import type { CanonicalRequest, EncodeOptions, Message } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { arrangeTurns } from './arrange-turns.ts'
import { type Block, limitCacheBreakpoints } from './cache-control.ts'
import { encodePart } from './encode-content.ts'
import { encodeTools, adaptSchema } from './tools.ts'
import { relaxToolChoice, raiseLimitAbove, allowsThinking, thinkingBudget } from './thinking.ts'

const JSON_ONLY_INSTRUCTION =
  'Answer with one JSON object and nothing else: no words before or after it, no code fence.'

export function encodeRequest(request: CanonicalRequest, { dropped }: EncodeOptions = {}): JsonObject {
  const { messages, tools, output, stop, userId } = request
  const textTools = new Set(tools.flatMap((tool) => (tool.type === 'text' ? tool.name : [])))
  const turns = arrangeTurns(messages, textTools)
  const system = encodeSystem(messages)
  if (output?.type === 'json') system.push({ type: 'text', text: JSON_ONLY_INSTRUCTION })
  const offered = encodeTools(request, dropped)
  limitCacheBreakpoints([...offered.tools, ...system, ...turns.flatMap(({ content }) => content as Block[])])

  const budget = allowsThinking(turns) ? thinkingBudget(request) : 0
  const choice = budget > 0 ? relaxToolChoice(offered.choice) : offered.choice
  // The provider rejects blank stop sequences.
  const sequences = stop?.filter((sequence) => sequence.trim() !== '') ?? []
  return {
    model: request.model,
    ...encodeLimit(request, budget),
    ...(system.length > 0 && { system }),
    messages: turns,
    ...(offered.tools.length > 0 && { tools: offered.tools }),
    ...(choice && { tool_choice: choice }),
    ...(budget > 0 && { thinking: { type: 'enabled', budget_tokens: budget } }),
    ...encodeSampling(request, budget > 0),
    ...(sequences.length > 0 && { stop_sequences: sequences }),
    ...(output?.type === 'schema' && {
      output_config: { format: { type: 'json_schema', schema: adaptSchema(output.schema) } },
    }),
    ...(userId && { metadata: { user_id: userId } }),
    stream: request.stream,
  }
}

/** Later system messages move to the start, because not every model accepts them between turns. */
function encodeSystem(messages: readonly Message[]): Block[] {
  return messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ parts }) =>
      parts.flatMap((part) => {
        if (part.type === 'native') return []
        if (part.type !== 'text')
          throw new DialectError('cannot_express', `instructions with a part of type ${part.type}`)
        return encodePart(part, 'user')
      }),
    )
}

/** Omitted if the client set no limit. The operator's default is added later. */
function encodeLimit({ maxTokens }: CanonicalRequest, budget: number): Block {
  return maxTokens === undefined ? {} : { max_tokens: raiseLimitAbove(budget, maxTokens) }
}

/**
 * With thinking the provider accepts almost no sampling options. Otherwise the temperature is at most 1, and newer
 * models reject `top_p` together with a temperature.
 */
function encodeSampling({ temperature, topP, topK }: CanonicalRequest, isThinking: boolean): Block {
  if (isThinking) return topP !== undefined && topP >= 0.95 ? { top_p: topP } : {}
  return {
    ...(temperature !== undefined && { temperature: Math.min(temperature, 1) }),
    ...(topP !== undefined && temperature === undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
  }
}
