import { DialectError } from '../../canonical/errors.ts'
import type { Message, Part, Signature, ToolResultPart } from '../../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { decodeImageItem } from '../output-items.ts'
import { expandCompaction } from '../compaction.ts'
import { decodeSignature, decodeReasoningItem } from '../signatures.ts'
import { wrapTextInput, flatName } from '../tool-names.ts'
import { decodeContent, decodeToolOutput } from './decode-content.ts'

/**
 * Decodes the conversation in `input`. Reasoning, text and calls are separate items in this protocol. Consecutive items
 * of the model become one assistant message, and so do consecutive tool results.
 */
export function decodeItems(input: unknown): Message[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ type: 'text', text: input }] }]
  const items = asList(input).map(requireItem).map(expandCompaction)
  const signatures = readCallSignatures(items)
  const names = new Map<string, string>()
  const turns = createMessageBuilder()
  for (const item of items) {
    const type = itemType(item)
    switch (type) {
      case 'message':
        turns.add(decodeRole(item), 'content', decodeContent(item.content))
        break
      case 'reasoning':
        turns.add('assistant', 'content', decodeReasoningItem(item) ?? [])
        break
      case 'function_call':
      case 'custom_tool_call': {
        const call = decodeCall(item, signatures)
        names.set(call.id, call.name)
        turns.add('assistant', 'content', call)
        break
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        turns.add('user', 'results', decodeResult(item, names))
        break
      case 'image_generation_call':
        turns.add('assistant', 'content', decodeImageItem(item))
        break
      // These items change the request and are not part of the conversation.
      case 'additional_tools':
      case 'configuration_update':
        break
      default:
        turns.add(hostedItemRole(type), 'content', nativePart(item))
    }
  }
  return turns.messages
}

function requireItem(value: unknown): JsonObject {
  const item = asJsonObject(value)
  if (!item) throw new DialectError('invalid_request', 'every item of input must be an object')
  return item
}

/** The type of a message is optional. */
function itemType(item: JsonObject): string {
  return asText(item.type) || 'message'
}

function decodeRole(item: JsonObject): Message['role'] {
  switch (item.role) {
    case 'assistant':
      return 'assistant'
    case 'system':
    case 'developer':
      return 'system'
    case 'user':
      return 'user'
    default:
      throw new DialectError('invalid_request', 'a message needs a role: user, assistant, system or developer')
  }
}

function decodeCall(item: JsonObject, signatures: ReadonlyMap<string, Signature>) {
  const id = requireCallId(item)
  const signature = signatures.get(id)
  return {
    type: 'tool-call' as const,
    id,
    name: flatName(item.namespace, asText(item.name)),
    arguments: item.type === 'custom_tool_call' ? wrapTextInput(asJsonText(item.input)) : asJsonText(item.arguments),
    ...(signature && { signature }),
  }
}

/** Some clients send JSON instead of a string. */
function asJsonText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : asText(value)
}

function decodeResult(item: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart {
  const callId = requireCallId(item)
  const name = names.get(callId) ?? asText(item.name)
  return { type: 'tool-result', callId, ...(name !== '' && { name }), content: decodeToolOutput(item.output) }
}

function requireCallId(item: JsonObject): string {
  const id = asText(item.call_id)
  if (id === '') throw new DialectError('invalid_request', `an item of type ${asText(item.type)} needs a call_id`)
  return id
}

function readCallSignatures(items: readonly JsonObject[]): ReadonlyMap<string, Signature> {
  const found = new Map<string, Signature>()
  for (const item of items) {
    if (item.type !== 'reasoning') continue
    const decoded = decodeSignature(asText(item.encrypted_content))
    if (decoded.kind === 'call') found.set(decoded.callId, decoded.signature)
  }
  return found
}

function hostedItemRole(type: string): Message['role'] {
  const reason = storedItemError(type)
  if (reason !== undefined) throw new DialectError('cannot_express', reason)
  const role = hostedRole(type)
  if (role === undefined) {
    throw new DialectError('cannot_express', `an item of type "${type}" has no counterpart outside the Responses API`)
  }
  return role
}

function nativePart(value: JsonObject): Part {
  return { type: 'native', dialect: 'openai-responses', value }
}

/**
 * Collects parts into messages. Assistant parts and consecutive tool results are joined; other messages stay separate.
 */
function createMessageBuilder() {
  const messages: { role: Message['role']; parts: Part[] }[] = []
  let lastKind = ''
  return {
    messages,
    add(role: Message['role'], kind: 'content' | 'results', parts: Part | Part[]): void {
      const added = Array.isArray(parts) ? parts : [parts]
      if (added.length === 0) return
      const last = messages.at(-1)
      const joins = last?.role === role && (role === 'assistant' || (kind === 'results' && lastKind === 'results'))
      if (joins) last.parts.push(...added)
      else messages.push({ role, parts: added })
      lastKind = kind
    },
  }
}

const ASSISTANT_ITEMS = new Set([
  'apply_patch_call',
  'code_interpreter_call',
  'computer_call',
  'file_search_call',
  'local_shell_call',
  'mcp_approval_request',
  'mcp_call',
  'mcp_list_tools',
  'program',
  'shell_call',
  'tool_search_call',
  'web_search_call',
])

const USER_ITEMS = new Set([
  'apply_patch_call_output',
  'computer_call_output',
  'local_shell_call_output',
  'mcp_approval_response',
  'program_output',
  'shell_call_output',
  'tool_search_output',
])

/** Role of a hosted tool's item. `undefined` for unknown items. */
function hostedRole(type: string): Message['role'] | undefined {
  if (ASSISTANT_ITEMS.has(type)) return 'assistant'
  return USER_ITEMS.has(type) ? 'user' : undefined
}

/** Error text for items that only OpenAI can resolve. */
function storedItemError(type: string): string | undefined {
  switch (type) {
    case 'item_reference':
      return 'item_reference names an item stored by OpenAI; send the item itself instead'
    case 'compaction':
    case 'compaction_summary':
      return 'this compaction item was made by an account of OpenAI, and only it can read it; send the messages instead'
    case 'compaction_trigger':
      return 'compaction_trigger requests compaction, which only OpenAI supports'
    default:
      return undefined
  }
}
