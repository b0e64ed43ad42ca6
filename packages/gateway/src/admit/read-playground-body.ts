import { ApiError } from '@tidegate/contract'
import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'

export interface PlaygroundBody {
  /** Blank when none was asked for. */
  readonly group: string
  /** A chat request that holds nothing of the console's own. */
  readonly text: string
  readonly tree: JsonObject
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])
const MESSAGE_KEYS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id']
const MOST_MESSAGES = 1000

/** Takes what is the console's out of a chat request: the group, ids and states of messages, and 0 for "no limit". */
export function readPlaygroundBody(tree: JsonObject): PlaygroundBody {
  const { group, max_tokens: maxTokens, ...rest } = tree
  if (typeof rest.model !== 'string' || rest.model.trim() === '') throw new ApiError('model_required')
  const body = {
    ...rest,
    messages: readMessages(rest.messages),
    ...(maxTokens !== 0 && maxTokens !== null && maxTokens !== undefined && { max_tokens: maxTokens }),
  }
  return { group: asText(group).trim(), text: JSON.stringify(body), tree: body }
}

function readMessages(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) throw invalid('messages must be a non-empty array')
  if (value.length > MOST_MESSAGES) throw invalid(`there are more than ${MOST_MESSAGES} messages`)
  return value.map((item: unknown, at) => {
    const message = asJsonObject(item)
    if (!message || !ROLES.has(asText(message.role))) throw invalid(`messages[${at}] has no role that is known here`)
    return Object.fromEntries(MESSAGE_KEYS.filter((key) => key in message).map((key) => [key, message[key]]))
  })
}

function invalid(reason: string): ApiError {
  return new ApiError('invalid_text_request', { reason })
}
