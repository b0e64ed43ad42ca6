import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { clamp } from '../../openai-compatible/adapt.ts'
import {
  cannotExpress,
  readMessages,
  rejectImages,
  rejectOutputFormat,
  readTools,
  type ChatMessage,
} from '../../custom-protocols/read-chat-request.ts'
import { startAndEndWithUser, mergeTurns } from '../../custom-protocols/merge-turns.ts'
import type { EncodeContext } from '../../provider.ts'

/** Baidu rejects smaller limits. */
const MIN_TOKENS = 2
/** Greater than 0, at most 1. */
const TEMPERATURE = { min: 0.01, max: 1 }

export function encodeBaidu(
  body: JsonObject,
  { stream, caller }: Pick<EncodeContext, 'stream' | 'caller'>,
): JsonObject {
  const messages = readMessages(body)
  rejectImages(messages)
  rejectOutputFormat(body, ['json_object'])
  const { instructions, turns } = mergeTurns(messages)
  const limit = body.max_completion_tokens ?? body.max_tokens
  return {
    messages: startAndEndWithUser(turns).map((turn) => encodeMessage(turn, turns)),
    ...(instructions !== '' && { system: instructions }),
    stream,
    ...(typeof limit === 'number' && { max_output_tokens: Math.max(MIN_TOKENS, limit) }),
    ...optional('temperature', clamp(body, 'temperature', TEMPERATURE).temperature ?? body.temperature),
    ...optional('top_p', body.top_p),
    ...optional('stop', typeof body.stop === 'string' ? [body.stop] : body.stop),
    ...(asJsonObject(body.response_format) && { response_format: asJsonObject(body.response_format)?.type }),
    user_id: asText(body.user) || caller(),
    ...encodeTools(body),
  }
}

function encodeMessage({ role, text, toolCalls, toolCallId }: ChatMessage, turns: readonly ChatMessage[]): JsonObject {
  if (role === 'tool') return { role: 'function', name: functionName(toolCallId, turns), content: text }
  const [call, another] = toolCalls
  if (another) throw cannotExpress('several calls at once')
  if (!call) return { role, content: text }
  return { role, content: text, function_call: { name: call.name, arguments: call.arguments } }
}

/** Tool calls have no ids: a result names the function. */
function functionName(toolCallId: string, turns: readonly ChatMessage[]): string {
  return turns.flatMap(({ toolCalls }) => toolCalls).find(({ id }) => id === toolCallId)?.name ?? ''
}

function encodeTools(body: JsonObject): JsonObject {
  const tools = readTools(body)
  if (tools.length === 0) return {}
  const choice = body.tool_choice
  if (choice === 'required') throw cannotExpress('a required tool call without a name')
  return { functions: tools, ...(asJsonObject(choice) && { tool_choice: choice }) }
}

function optional(name: string, value: unknown): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value }
}
