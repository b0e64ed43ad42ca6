import { requireThat, nameSet } from '../checks.ts'
import { checkOpenaiSchema } from '../openai-wire.ts'

/** The fields of a chat request that the fake reads. */
export interface ChatCompletionRequest {
  model?: string
  stream?: boolean
  stream_options?: { include_usage?: boolean } | null
  messages?: readonly ChatMessage[]
  max_tokens?: number | null
  max_completion_tokens?: number | null
  stop?: string | readonly string[] | null
  tools?: readonly { type?: string; function?: { name?: string }; custom?: { name?: string } }[]
  tool_choice?: unknown
  response_format?: { type?: string; json_schema?: { name?: unknown; schema?: unknown; strict?: boolean } } | null
}

interface ChatMessage {
  role?: string
  content?: unknown
  tool_calls?: readonly ChatToolCall[] | null
  tool_call_id?: string
  [member: string]: unknown
}

interface ChatToolCall {
  id?: string
  type?: string
  function?: { name?: string; arguments?: unknown }
  custom?: { name?: string; input?: unknown }
}

/** Rejects what OpenAI's Chat Completions API rejects; unknown members only if strict. */
export function checkChat(request: ChatCompletionRequest, strict: boolean): void {
  const { messages, tools = [], response_format: format } = request
  requireThat(request.model, 'you must provide a model parameter', 'model')
  requireThat(Array.isArray(messages) && messages.length > 0, 'messages must have at least one element', 'messages')
  messages.forEach((message, index) => checkMessage(message, `messages[${index}]`, strict))
  checkToolTurns(messages)
  tools.forEach((tool, index) => {
    if (tool.type !== 'function') return
    requireThat(
      NAME.test(tool.function?.name ?? ''),
      'a function name is 1 to 64 of a-z, A-Z, 0-9, _ and -',
      `tools[${index}]`,
    )
  })
  requireThat(request.tool_choice === undefined || tools.length > 0, 'tool_choice needs tools', 'tool_choice')
  requireThat(!Array.isArray(request.stop) || request.stop.length <= 4, 'stop takes at most 4 texts', 'stop')
  if (format?.type === 'json_schema') checkOpenaiSchema(format.json_schema ?? {}, 'response_format.json_schema')
}

function checkMessage(message: ChatMessage, path: string, strict: boolean): void {
  const known = MEMBERS[message.role ?? '']
  requireThat(known, `'${message.role}' is none of system, developer, user, assistant, tool, function`, `${path}.role`)
  if (strict) {
    for (const member of Object.keys(message))
      requireThat(known.includes(member), `Unknown parameter: '${path}.${member}'.`)
  }
  const calls = message.tool_calls ?? []
  const mayBeEmpty = message.role === 'assistant' && (calls.length > 0 || message.function_call || message.refusal)
  if (message.content === null || message.content === undefined) requireThat(mayBeEmpty, 'content is required', path)
  else checkContent(message.content, message.role!, `${path}.content`, strict)
  requireThat(message.tool_calls === undefined || calls.length > 0, 'an empty list of tool calls', `${path}.tool_calls`)
  calls.forEach((call, index) => checkCall(call, `${path}.tool_calls[${index}]`, strict))
}

function checkCall(call: ChatToolCall, path: string, strict: boolean): void {
  requireThat(typeof call.id === 'string' && call.id !== '', 'a tool call needs an id', `${path}.id`)
  requireThat(call.id.length <= 64, 'the id of a tool call has at most 64 signs', `${path}.id`)
  requireThat(call.type === 'function' || call.type === 'custom', 'a tool call is a function or custom', `${path}.type`)
  if (call.type === 'function') {
    requireThat(NAME.test(call.function?.name ?? ''), 'not a name of a function', `${path}.function.name`)
    requireThat(typeof call.function?.arguments === 'string', 'arguments are a text', `${path}.function.arguments`)
  }
  if (!strict) return
  for (const member of Object.keys(call)) {
    requireThat(CALL_MEMBERS.has(member), `Unknown parameter: '${path}.${member}'.`)
  }
}

/** Every tool call needs its result right after its turn, and there are no other results. */
function checkToolTurns(messages: readonly ChatMessage[]): void {
  let open = new Set<string>()
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      const found = open.delete(message.tool_call_id ?? '')
      requireThat(found, 'a tool message must respond to a call of the turn before it', `messages[${index}]`)
      return
    }
    requireThat(open.size === 0, `tool calls without a response: ${[...open].join(', ')}`, `messages[${index}]`)
    open = new Set((message.tool_calls ?? []).map(({ id }) => id!))
  })
  requireThat(open.size === 0, `tool calls without a response: ${[...open].join(', ')}`, 'messages')
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const CALL_MEMBERS = nameSet('id type function custom')
const MEMBERS: Record<string, readonly string[]> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  // SDKs send the last two back with messages.
  assistant: ['role', 'content', 'name', 'audio', 'function_call', 'refusal', 'tool_calls', 'annotations', 'parsed'],
  tool: ['role', 'content', 'tool_call_id'],
  function: ['role', 'content', 'name'],
}

interface ContentPart {
  type?: string
  text?: unknown
  refusal?: unknown
  image_url?: { url?: unknown }
  input_audio?: { data?: unknown; format?: unknown }
  file?: { file_data?: unknown; file_id?: unknown }
}

/** Content is a text, or parts that the role allows. */
function checkContent(content: unknown, role: string, path: string, strict: boolean): void {
  if (typeof content === 'string') return
  requireThat(Array.isArray(content) && content.length > 0, 'content is a text or a list of parts', path)
  content.forEach((part: ContentPart, index) => checkPart(part, role, `${path}[${index}]`, strict))
}

function checkPart(part: ContentPart, role: string, path: string, strict: boolean): void {
  const { type = '' } = part
  requireThat(
    (PARTS[role] ?? ['text']).includes(type),
    `'${type}' is no part of a message from ${role}`,
    `${path}.type`,
  )
  if (strict) {
    for (const member of Object.keys(part)) {
      requireThat(
        member === 'type' || member === type || member === 'prompt_cache_breakpoint',
        `Unknown parameter: '${path}.${member}'.`,
      )
    }
  }
  if (type === 'text') requireThat(typeof part.text === 'string', 'text is missing', path)
  if (type === 'image_url') {
    requireThat(
      IMAGE_URL.test(String(part.image_url?.url)),
      'not the address of an image, nor a data URL',
      `${path}.image_url`,
    )
  }
  if (type === 'input_audio') requireThat(part.input_audio?.data && part.input_audio.format, 'no audio data', path)
  if (type === 'file') {
    const { file_data: data, file_id: id } = part.file ?? {}
    requireThat(id !== undefined || String(data).startsWith('data:'), 'a file is an id or a data URL', `${path}.file`)
  }
}

const IMAGE_URL = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/
const PARTS: Record<string, readonly string[]> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
}
