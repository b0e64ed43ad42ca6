import type { CanonicalRequest, Message, OutputFormat, Reasoning, RequestHead, Tool } from '../../canonical/index.ts'
import {
  type ContentMembers,
  droppedNames,
  ifOther,
  ifPresent,
  unreadContent,
  unreadMembers,
} from '../../canonical/dropped.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject, asJsonObjects } from '../../json/json-object.ts'
import { withCacheLife } from '../../openai-wire/cache-breakpoint.ts'
import { decodeItems } from './decode-items.ts'
import { decodeToolChoice, decodeTools } from './tools.ts'

const READ_MEMBERS = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'reasoning',
  'text',
  'safety_identifier',
  'user',
  'prompt_cache_key',
  'prompt_cache_options',
  // Resolved or rejected.
  'previous_response_id',
  'conversation',
  'prompt',
  'store',
  'background',
  'include',
])
/** Included in every response, if the provider has it. */
const READ_INCLUDES = new Set<unknown>(['reasoning.encrypted_content', 'web_search_call.action.sources'])

const LOST_CONTENT: ContentMembers = {
  'input.content.annotations': ifPresent,
  'input.phase': ifOther('final_answer'),
}

function droppedMembers(body: JsonObject): string[] {
  return [
    ...unreadMembers(body, READ_MEMBERS),
    ...unreadContent(body, LOST_CONTENT),
    ...(asText(asJsonObject(body.text)?.verbosity) === '' ? [] : ['text.verbosity']),
    ...asList(body.include).flatMap((name) => (READ_INCLUDES.has(name) ? [] : [`include: ${asText(name)}`])),
  ]
}

export function decodeRequest({
  body,
  model,
  stream,
}: Pick<RequestHead, 'body' | 'model' | 'stream'>): CanonicalRequest {
  rejectStoredState(body)
  const items = asJsonObjects(body.input)
  return {
    model,
    stream,
    messages: withCacheLife([...decodeInstructions(body.instructions), ...decodeItems(body.input)], body),
    ...decodeToolChoice(body.tool_choice, uniqueByName([...decodeTools(body.tools), ...toolsFromItems(items)])),
    parallelToolCalls: typeof body.parallel_tool_calls === 'boolean' ? body.parallel_tool_calls : undefined,
    maxTokens: asCount(body.max_output_tokens) || undefined,
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    reasoning: decodeReasoning(asJsonObject(body.reasoning) ?? {}, items),
    output: decodeFormat(asJsonObject(asJsonObject(body.text)?.format) ?? {}),
    userId: asText(body.safety_identifier) || asText(body.user) || undefined,
    promptCacheKey: asText(body.prompt_cache_key) || undefined,
    dropped: droppedNames(...droppedMembers(body)),
  }
}

/** OpenAI resolves these in a pass-through request. Other providers cannot. */
function rejectStoredState(body: JsonObject): void {
  const stored: [boolean, string][] = [
    [
      isPresent(body.previous_response_id),
      'previous_response_id names a response stored by OpenAI; send the whole conversation in input instead',
    ],
    [
      isPresent(body.conversation),
      'conversation names one stored by OpenAI; send the whole conversation in input instead',
    ],
    [
      isPresent(body.prompt),
      'prompt names a template stored by OpenAI; send its text in instructions or input instead',
    ],
  ]
  const found = stored.find(([isUsed]) => isUsed)
  if (found) throw new DialectError('cannot_express', found[1])
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function decodeInstructions(instructions: unknown): Message[] {
  if (!isPresent(instructions)) return []
  if (typeof instructions !== 'string') throw new DialectError('invalid_request', 'instructions must be a text')
  return [{ role: 'system', parts: [{ type: 'text', text: instructions }] }]
}

/** Tools that were added during the conversation. */
function toolsFromItems(items: readonly JsonObject[]): Tool[] {
  return items
    .filter(({ type }) => type === 'additional_tools' || type === 'tool_search_output')
    .flatMap((item) => decodeTools(item.tools))
}

/** Each tool search repeats its tools, and providers reject duplicate names. */
function uniqueByName(tools: readonly Tool[]): Tool[] {
  const lastIndexes = new Map(tools.map((tool, index) => [tool.name, index]))
  return tools.filter((tool, index) => tool.type === 'hosted' || lastIndexes.get(tool.name) === index)
}

function decodeReasoning(reasoning: JsonObject, items: readonly JsonObject[]): Reasoning | undefined {
  const update = items.findLast(({ type }) => type === 'configuration_update')
  const effort = asText(asJsonObject(update?.reasoning)?.effort) || asText(reasoning.effort)
  const visible = asText(reasoning.summary) !== '' || asText(reasoning.generate_summary) !== ''
  if (effort === '' && !visible) return undefined
  return { ...(effort !== '' && { effort }), ...(visible && { visible }) }
}

function decodeFormat(format: JsonObject): OutputFormat | undefined {
  if (format.type === 'json_object') return { type: 'json' }
  if (format.type !== 'json_schema') return undefined
  return {
    type: 'schema',
    schema: asJsonObject(format.schema) ?? {},
    name: asText(format.name) || undefined,
    description: asText(format.description) || undefined,
    strict: typeof format.strict === 'boolean' ? format.strict : undefined,
  }
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
