import type { Message, Part, ToolCallPart, ToolResultPart } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { withContentBreakpoint, withErrorPrefix } from '../../openai-wire/tool-result.ts'
import { encodeInput, encodeOutput } from './encode-content.ts'
import { encodeReasoningItem } from '../signatures.ts'
import { unwrapTextInput, type NamedTool } from '../tool-names.ts'

/** Encodes the conversation as items of `input`. */
export function encodeItems(messages: readonly Message[], tools: ReadonlyMap<string, NamedTool>): JsonObject[] {
  const items: JsonObject[] = []
  const textCalls = new Set<string>()
  for (const message of messages) {
    const content: JsonObject[] = []
    // Items keep their order: earlier content comes before the next call or result.
    const flushContent = () => {
      if (content.length > 0) items.push(messageItem(message.role, content.splice(0)))
    }
    for (const part of message.parts) {
      const item = encodeItem(part, tools, textCalls)
      if (item) {
        flushContent()
        items.push(item)
      } else if (!isItem(part)) {
        content.push(message.role === 'assistant' ? encodeOutput(part) : encodeInput(part))
      }
    }
    flushContent()
  }
  return items
}

const ROLES = { system: 'developer', user: 'user', assistant: 'assistant' } as const

function messageItem(role: Message['role'], content: readonly JsonObject[]): JsonObject {
  const [only] = content
  // A single text becomes a string, which every provider accepts.
  const isPlain = isPlainText(content)
  return { type: 'message', role: ROLES[role], content: isPlain ? only!.text : content }
}

function isPlainText(content: readonly JsonObject[]): boolean {
  const [only] = content
  return content.length === 1 && typeof only?.text === 'string' && only.prompt_cache_breakpoint === undefined
}

function isItem({ type }: Part): boolean {
  return type === 'thinking' || type === 'tool-call' || type === 'tool-result' || type === 'native'
}

/** Item for a part. `undefined` for content of a message and for parts that this provider cannot use. */
function encodeItem(part: Part, tools: ReadonlyMap<string, NamedTool>, textCalls: Set<string>): JsonObject | undefined {
  switch (part.type) {
    case 'thinking':
      return encodeReasoningItem(part)
    case 'tool-call':
      return encodeCall(part, tools.get(part.name), textCalls)
    case 'tool-result':
      return encodeResult(part, textCalls.has(part.callId))
    case 'native':
      return part.dialect === 'openai-responses' ? part.value : undefined
    default:
      return undefined
  }
}

function encodeCall(call: ToolCallPart, tool: NamedTool | undefined, textCalls: Set<string>): JsonObject {
  const named = {
    call_id: call.id,
    name: tool?.name ?? call.name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
  }
  if (tool?.takesText !== true) return { type: 'function_call', ...named, arguments: call.arguments }
  textCalls.add(call.id)
  return { type: 'custom_tool_call', ...named, input: unwrapTextInput(call.arguments) }
}

function encodeResult(result: ToolResultPart, isText: boolean): JsonObject {
  const { callId, content } = withErrorPrefix(withContentBreakpoint(result))
  const parts = content.map(encodeInput)
  const [only] = parts
  return {
    type: isText ? 'custom_tool_call_output' : 'function_call_output',
    call_id: callId,
    output: isPlainText(parts) ? only!.text : parts.length === 0 ? '' : parts,
  }
}
