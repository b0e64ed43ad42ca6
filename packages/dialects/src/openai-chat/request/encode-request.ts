import { keepBreakpoints } from '../../canonical/cache-breakpoints.ts'
import type { CanonicalRequest, EncodeOptions, OutputFormat } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeToolFields } from './tools.ts'

/** OpenAI rejects longer user and cache keys. They are optional, so they are dropped. */
const MAX_KEY_LENGTH = 64

/**
 * Body for a provider. `top_k` and a thinking budget are omitted, because OpenAI rejects unknown
 * fields. A budget does not become an effort, because models without reasoning reject it.
 */
export function encodeRequest(
  request: CanonicalRequest,
  { dropped, cacheBreakpoints = false }: EncodeOptions = {},
): JsonObject {
  return {
    model: request.model,
    messages: encodeMessages(keepBreakpoints(request.messages, cacheBreakpoints)),
    ...(request.stream && { stream: true }),
    ...encodeToolFields(request, dropped),
    ...optional('max_tokens', request.maxTokens),
    ...optional('temperature', request.temperature),
    ...optional('top_p', request.topP),
    ...optional('stop', request.stop),
    ...optional('seed', request.seed),
    ...optional('frequency_penalty', request.frequencyPenalty),
    ...optional('presence_penalty', request.presencePenalty),
    ...optional('reasoning_effort', request.reasoning?.effort),
    ...optional('response_format', request.output && encodeOutput(request.output)),
    ...optional('user', dropIfTooLong(request.userId)),
    ...optional('prompt_cache_key', dropIfTooLong(request.promptCacheKey)),
  }
}

function optional(name: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [name]: value }
}

function dropIfTooLong(key: string | undefined): string | undefined {
  return key !== undefined && key.length <= MAX_KEY_LENGTH ? key : undefined
}

function encodeOutput(output: OutputFormat): JsonObject {
  if (output.type === 'json') return { type: 'json_object' }
  const { name = 'answer', description, schema, strict } = output
  return {
    type: 'json_schema',
    json_schema: { name, ...optional('description', description), schema, ...optional('strict', strict) },
  }
}
