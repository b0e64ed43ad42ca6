import { checkOpenaiSchema } from '../openai-schema.ts'
import { checkContent } from './check-content.ts'
import type { ChatMessage, ChatRequest, ChatToolCall } from './request.ts'
import { demand, wordSet } from '../checks.ts'

/** Refuses what OpenAI's chat completions refuse. Only a strict vendor also refuses members it does not know. */
export function checkChat(request: ChatRequest, strict: boolean): void {
  const { messages, tools = [], response_format: format } = request
  demand(request.model, 'you must provide a model parameter', 'model')
  demand(Array.isArray(messages) && messages.length > 0, 'messages must have at least one element', 'messages')
  messages.forEach((message, index) => checkMessage(message, `messages[${index}]`, strict))
  checkToolTurns(messages)
  tools.forEach((tool, index) => {
    if (tool.type !== 'function') return
    demand(
      NAME.test(tool.function?.name ?? ''),
      'a function name is 1 to 64 of a-z, A-Z, 0-9, _ and -',
      `tools[${index}]`,
    )
  })
  demand(request.tool_choice === undefined || tools.length > 0, 'tool_choice needs tools', 'tool_choice')
  demand(!Array.isArray(request.stop) || request.stop.length <= 4, 'stop takes at most 4 texts', 'stop')
  if (format?.type === 'json_schema') checkOpenaiSchema(format.json_schema ?? {}, 'response_format.json_schema')
}

function checkMessage(message: ChatMessage, path: string, strict: boolean): void {
  const known = MEMBERS[message.role ?? '']
  demand(known, `'${message.role}' is none of system, developer, user, assistant, tool, function`, `${path}.role`)
  if (strict) {
    for (const member of Object.keys(message)) demand(known.includes(member), `Unknown parameter: '${path}.${member}'.`)
  }
  const calls = message.tool_calls ?? []
  const mayBeEmpty = message.role === 'assistant' && (calls.length > 0 || message.function_call || message.refusal)
  if (message.content === null || message.content === undefined) demand(mayBeEmpty, 'content is required', path)
  else checkContent(message.content, message.role!, `${path}.content`, strict)
  demand(message.tool_calls === undefined || calls.length > 0, 'an empty list of tool calls', `${path}.tool_calls`)
  calls.forEach((call, index) => checkCall(call, `${path}.tool_calls[${index}]`, strict))
}

function checkCall(call: ChatToolCall, path: string, strict: boolean): void {
  demand(typeof call.id === 'string' && call.id !== '', 'a tool call needs an id', `${path}.id`)
  demand(call.id.length <= 64, 'the id of a tool call has at most 64 signs', `${path}.id`)
  demand(call.type === 'function' || call.type === 'custom', 'a tool call is a function or custom', `${path}.type`)
  if (call.type === 'function') {
    demand(NAME.test(call.function?.name ?? ''), 'not a name of a function', `${path}.function.name`)
    demand(typeof call.function?.arguments === 'string', 'arguments are a text', `${path}.function.arguments`)
  }
  if (!strict) return
  for (const member of Object.keys(call)) {
    demand(CALL_MEMBERS.has(member), `Unknown parameter: '${path}.${member}'.`)
  }
}

/** Every call is answered right after the turn that made it, and nothing is answered that was not called. */
function checkToolTurns(messages: readonly ChatMessage[]): void {
  let open = new Set<string>()
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      const found = open.delete(message.tool_call_id ?? '')
      demand(found, 'a tool message must answer a call of the turn before it', `messages[${index}]`)
      return
    }
    demand(open.size === 0, `tool calls without an answer: ${[...open].join(', ')}`, `messages[${index}]`)
    open = new Set((message.tool_calls ?? []).map(({ id }) => id!))
  })
  demand(open.size === 0, `tool calls without an answer: ${[...open].join(', ')}`, 'messages')
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const CALL_MEMBERS = wordSet('id type function custom')
const MEMBERS: Record<string, readonly string[]> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  // The last two are what SDKs leave on a message they made, and hand back with it.
  assistant: ['role', 'content', 'name', 'audio', 'function_call', 'refusal', 'tool_calls', 'annotations', 'parsed'],
  tool: ['role', 'content', 'tool_call_id'],
  function: ['role', 'content', 'name'],
}
