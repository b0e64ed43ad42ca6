import type { CanonicalRequest, OutputFormat } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeToolFields } from './tools.ts'

/** OpenAI refuses longer names of users and caches; a client's name for them is not worth failing over. */
const LONGEST_KEY = 64

/**
 * The body for a vendor. `top_k`, cache marks and a budget for thinking are left out: OpenAI has none of them and refuses
 * what it does not know. A budget is not turned into an effort either, which models that do not think refuse.
 */
export function encodeRequest(request: CanonicalRequest): JsonObject {
  return {
    model: request.model,
    messages: encodeMessages(request.messages),
    ...(request.stream && { stream: true }),
    ...encodeToolFields(request),
    ...given('max_tokens', request.maxTokens),
    ...given('temperature', request.temperature),
    ...given('top_p', request.topP),
    ...given('stop', request.stop),
    ...given('seed', request.seed),
    ...given('frequency_penalty', request.frequencyPenalty),
    ...given('presence_penalty', request.presencePenalty),
    ...given('reasoning_effort', request.reasoning?.effort),
    ...given('response_format', request.output && encodeOutput(request.output)),
    ...given('user', shortEnough(request.userId)),
    ...given('prompt_cache_key', shortEnough(request.promptCacheKey)),
  }
}

function given(name: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [name]: value }
}

function shortEnough(key: string | undefined): string | undefined {
  return key !== undefined && key.length <= LONGEST_KEY ? key : undefined
}

function encodeOutput(output: OutputFormat): JsonObject {
  if (output.type === 'json') return { type: 'json_object' }
  const { name = 'answer', description, schema, strict } = output
  return {
    type: 'json_schema',
    json_schema: { name, ...given('description', description), schema, ...given('strict', strict) },
  }
}
