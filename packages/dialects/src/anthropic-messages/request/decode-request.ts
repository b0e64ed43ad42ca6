import type {
  CacheBreakpoint,
  CanonicalRequest,
  Message,
  OutputFormat,
  Part,
  RequestHead,
} from '../../canonical/index.ts'
import { type ContentMembers, droppedNames, ifPresent, unreadContent, unreadMembers } from '../../canonical/dropped.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asCount, asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readCacheControl } from './cache-control.ts'
import { decodeContent, type BlockContext } from './decode-content.ts'
import { decodeReasoning } from './thinking.ts'
import { decodeToolChoice, decodeTools } from './tools.ts'
import { sliceRequestInputs } from '../tool-input.ts'

const READ_MEMBERS = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
  'cache_control',
])

const LOST_CONTENT: ContentMembers = {
  // Those of a text. A document has an object, and is rejected if it requests citations.
  'messages.content.citations': Array.isArray,
  'tools.input_examples': ifPresent,
}

export function decodeRequest({ text, body, model, stream, maxTokens }: RequestHead): CanonicalRequest {
  // The client continues without them after an error. Only Anthropic can check a request.
  if (body.safeguards) throw new DialectError('cannot_express', 'safeguards')
  const context: BlockContext = { inputs: sliceRequestInputs(text, body), names: new Map() }
  const messages = asList(body.messages).map((message, index) => decodeMessage(message, index, context))
  const system = decodeContent(body.system ?? '', context).filter((part) => part.type !== 'text' || part.text !== '')
  const { choice, parallel } = decodeToolChoice(asJsonObject(body.tool_choice))
  const stop = asList(body.stop_sequences).filter((sequence) => typeof sequence === 'string')
  return {
    model,
    stream,
    messages: markLastPart(
      system.length > 0 ? [{ role: 'system', parts: system }, ...messages] : messages,
      readCacheControl(body.cache_control),
    ),
    tools: decodeTools(asList(body.tools)),
    toolChoice: choice,
    parallelToolCalls: parallel,
    maxTokens: maxTokens > 0 ? maxTokens : undefined,
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    topK: asCount(body.top_k) || undefined,
    stop: stop.length > 0 ? stop : undefined,
    reasoning: decodeReasoning(body),
    output: decodeOutput(body),
    userId: asText(asJsonObject(body.metadata)?.user_id) || undefined,
    dropped: droppedNames(...unreadMembers(body, READ_MEMBERS), ...unreadContent(body, LOST_CONTENT)),
  }
}

function decodeMessage(value: unknown, index: number, context: BlockContext): Message {
  const message = asJsonObject(value)
  const role = message?.role
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    throw new DialectError('invalid_request', `messages.${index}: role must be user, assistant or system`)
  }
  const position = { path: `messages.${index}.content`, isUserContent: role === 'user' }
  return { role, parts: decodeContent(message?.content, context, position) }
}

/** cache_control of the request applies to the last part that can carry it. */
function markLastPart(messages: readonly Message[], cache: CacheBreakpoint | undefined): readonly Message[] {
  const last = messages.at(-1)
  const part = last?.parts.at(-1)
  if (!cache || !last || !part || !isCacheable(part) || part.cache) return messages
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts.slice(0, -1), { ...part, cache }] }]
}

type CacheablePart = Extract<Part, { readonly cache?: CacheBreakpoint }>

function isCacheable(part: Part): part is CacheablePart {
  return part.type !== 'thinking' && part.type !== 'native' && part.type !== 'audio' && part.type !== 'refusal'
}

function decodeOutput(body: JsonObject): OutputFormat | undefined {
  // output_format is the name from the beta.
  const format = asJsonObject(asJsonObject(body.output_config)?.format) ?? asJsonObject(body.output_format)
  const schema = asJsonObject(format?.schema)
  return schema && { type: 'schema', schema }
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
