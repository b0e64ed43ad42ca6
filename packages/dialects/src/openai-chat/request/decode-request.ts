import type { CanonicalRequest, OutputFormat, Reasoning, RequestHead } from '../../canonical/index.ts'
import { type ContentMembers, droppedNames, ifPresent, unreadContent, unreadMembers } from '../../canonical/dropped.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asCount, asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { withCacheLife } from '../../openai-wire/cache-breakpoint.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeToolChoice, decodeTools } from './tools.ts'

const READ_MEMBERS = new Set([
  'model',
  'messages',
  'n',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'response_format',
  'modalities',
  'safety_identifier',
  'user',
  'prompt_cache_key',
  'prompt_cache_options',
  'web_search_options',
])

const LOST_CONTENT: ContentMembers = {
  'messages.annotations': ifPresent,
  // That of a result is the name of its tool.
  'messages.name': (_, { role }) => role !== 'tool' && role !== 'function',
}

export function decodeRequest({ body, model, stream, maxTokens }: RequestHead): CanonicalRequest {
  rejectUnsupported(body)
  const tools = decodeTools(body)
  return {
    model,
    stream,
    messages: withCacheLife(decodeMessages(asList(body.messages)), body),
    tools,
    toolChoice: tools.length > 0 ? decodeToolChoice(body) : undefined,
    parallelToolCalls: decodeParallel(body),
    maxTokens: maxTokens || undefined,
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    topK: asNumber(body.top_k),
    stop: decodeStop(body.stop),
    seed: asNumber(body.seed),
    frequencyPenalty: asNumber(body.frequency_penalty),
    presencePenalty: asNumber(body.presence_penalty),
    reasoning: decodeReasoning(body),
    output: decodeOutput(asJsonObject(body.response_format)),
    userId: asText(body.safety_identifier) || asText(body.user) || undefined,
    promptCacheKey: asText(body.prompt_cache_key) || undefined,
    dropped: droppedNames(...unreadMembers(body, READ_MEMBERS), ...unreadContent(body, LOST_CONTENT)),
  }
}

function rejectUnsupported(body: JsonObject): void {
  if (asCount(body.n) > 1) throw new DialectError('cannot_express', 'several choices in one response (n above 1)')
  if (asList(body.modalities).includes('audio')) throw new DialectError('cannot_express', 'a response in audio')
}

function decodeParallel({ parallel_tool_calls, functions, tools }: JsonObject): boolean | undefined {
  if (typeof parallel_tool_calls === 'boolean') return parallel_tool_calls
  return functions !== undefined && tools === undefined ? false : undefined // their responses have one call only
}

function decodeStop(stop: unknown): readonly string[] | undefined {
  const stops = (Array.isArray(stop) ? (stop as unknown[]) : [stop]).filter((text) => typeof text === 'string')
  return stops.length > 0 ? stops : undefined
}

/** OpenAI has an effort. Routers and compatible providers also have a budget. */
function decodeReasoning(body: JsonObject): Reasoning | undefined {
  const { reasoning_effort, reasoning, thinking } = body
  const object = asJsonObject(reasoning)
  const thinkingConfig = asJsonObject(thinking)
  const isOff = thinkingConfig?.type === 'disabled' || object?.enabled === false
  const effort = asText(reasoning_effort) || asText(object?.effort) || (isOff ? 'none' : '')
  const budgetTokens = asCount(object?.max_tokens ?? thinkingConfig?.budget_tokens)
  const visible = typeof object?.exclude === 'boolean' ? !object.exclude : undefined
  if (effort === '' && budgetTokens === 0 && visible === undefined) return undefined
  return { effort: effort || undefined, budgetTokens: budgetTokens || undefined, visible }
}

function decodeOutput(format: JsonObject | undefined): OutputFormat | undefined {
  switch (format?.type) {
    case undefined:
    case 'text':
      return undefined
    case 'json_object':
      return { type: 'json' }
    case 'json_schema': {
      const jsonSchema = asJsonObject(format.json_schema)
      if (!jsonSchema) throw new DialectError('invalid_request', 'response_format.json_schema must be an object')
      return {
        type: 'schema',
        schema: asJsonObject(jsonSchema.schema) ?? {},
        name: asText(jsonSchema.name) || undefined,
        description: asText(jsonSchema.description) || undefined,
        strict: typeof jsonSchema.strict === 'boolean' ? jsonSchema.strict : undefined,
      }
    }
    default:
      throw new DialectError('cannot_express', `response_format ${asText(format?.type)}`)
  }
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
