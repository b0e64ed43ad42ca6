import { keepBreakpoints } from '../../canonical/cache-breakpoints.ts'
import type { CanonicalRequest, EncodeOptions, Message, OutputFormat, Reasoning, Tool } from '../../canonical/index.ts'
import { asList, type JsonObject } from '../../json/json-object.ts'
import { encodeItems } from './encode-items.ts'
import { encodeOfferedTools, encodeToolChoice } from './tools.ts'
import { toolsByName } from '../tool-names.ts'

/** OpenAI rejects a smaller limit. */
const MIN_OUTPUT_TOKENS = 16
/** OpenAI rejects longer user and cache keys. They are optional, so they are dropped. */
const MAX_KEY_LENGTH = 64

export function encodeRequest(
  request: CanonicalRequest,
  { dropped, cacheBreakpoints = false }: EncodeOptions = {},
): JsonObject {
  const named = toolsByName(request.tools)
  const { instructions, rest } = splitInstructions(keepBreakpoints(request.messages, cacheBreakpoints))
  const reasoning = encodeReasoning(request.reasoning)
  const input = encodeItems(rest, named)
  const include = [
    ...(needsEncryptedReasoning(request.reasoning, input) ? ['reasoning.encrypted_content'] : []),
    // Other protocols list the results of a search.
    ...(request.tools.some(isForeignSearch) ? ['web_search_call.action.sources'] : []),
  ]
  return {
    model: request.model,
    ...(instructions !== undefined && { instructions }),
    input,
    ...encodeToolFields(request, named, dropped),
    ...(request.maxTokens !== undefined && { max_output_tokens: Math.max(request.maxTokens, MIN_OUTPUT_TOKENS) }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    ...(reasoning && { reasoning }),
    ...(request.output && { text: { format: encodeFormat(request.output) } }),
    ...optionalKey('user', request.userId),
    ...optionalKey('prompt_cache_key', request.promptCacheKey),
    ...(request.stream && { stream: true }),
    store: false,
    ...(include.length > 0 && { include }),
  }
}

/**
 * Splits the instructions from the other messages. Instructions are one text, so leading system messages with other
 * content or a cache breakpoint stay messages. If there are only system messages, all stay messages, because the input must not be empty.
 */
export function splitInstructions(messages: readonly Message[]): { instructions?: string; rest: readonly Message[] } {
  const end = messages.findIndex(
    ({ role, parts }) => role !== 'system' || parts.some((part) => part.type !== 'text' || part.cache),
  )
  if (end <= 0) return { rest: messages }
  const texts = messages
    .slice(0, end)
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
  return { instructions: texts.join('\n\n'), rest: messages.slice(end) }
}

function encodeToolFields(
  request: CanonicalRequest,
  named: ReturnType<typeof toolsByName>,
  dropped: string[] | undefined,
): JsonObject {
  const { tools, ...limits } = encodeOfferedTools(request, dropped)
  if (asList(tools).length === 0) return {}
  const choice = encodeToolChoice(request.toolChoice, named)
  return {
    tools,
    ...limits,
    ...(choice !== undefined && { tool_choice: choice }),
    ...(request.parallelToolCalls !== undefined && { parallel_tool_calls: request.parallelToolCalls }),
  }
}

const SMALL_BUDGET = 2048
const MEDIUM_BUDGET = 12_288

function encodeReasoning(reasoning: Reasoning | undefined): JsonObject | undefined {
  if (!reasoning) return undefined
  const effort = reasoning.effort ?? budgetToEffort(reasoning.budgetTokens)
  if (effort === undefined && reasoning.visible !== true) return undefined
  return { ...(effort !== undefined && { effort }), ...(reasoning.visible === true && { summary: 'auto' }) }
}

/** Maps a token budget to an effort. Without a budget the model's default applies. */
function budgetToEffort(budget: number | undefined): string | undefined {
  if (budget === undefined || budget <= 0) return undefined
  if (budget <= SMALL_BUDGET) return 'low'
  return budget <= MEDIUM_BUDGET ? 'medium' : 'high'
}

/** Models without reasoning reject a request for encrypted reasoning. */
function needsEncryptedReasoning(reasoning: Reasoning | undefined, input: readonly JsonObject[]): boolean {
  const isRequested =
    reasoning !== undefined &&
    reasoning.effort !== 'none' &&
    (reasoning.effort !== undefined || reasoning.budgetTokens !== 0)
  return isRequested || input.some(({ encrypted_content }) => encrypted_content !== undefined)
}

export function encodeFormat(output: OutputFormat): JsonObject {
  if (output.type === 'json') return { type: 'json_object' }
  return {
    type: 'json_schema',
    name: output.name ?? 'answer',
    schema: output.schema,
    ...(output.description !== undefined && { description: output.description }),
    ...(output.strict !== undefined && { strict: output.strict }),
  }
}

function optionalKey(member: string, key: string | undefined): JsonObject {
  return key !== undefined && key.length <= MAX_KEY_LENGTH ? { [member]: key } : {}
}

function isForeignSearch(tool: Tool): boolean {
  return tool.type === 'hosted' && tool.search !== undefined && tool.dialect !== 'openai-responses'
}
