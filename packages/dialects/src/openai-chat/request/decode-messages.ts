import { DialectError } from '../../canonical/errors.ts'
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { splitMarkdownImages } from '../images.ts'
import { readClientCallSignature, decodeThoughts, insertThoughts } from '../signatures.ts'
import { readCacheControl, decodeContent, markLastPart } from './decode-content.ts'

/** Decodes the conversation. Tool results of one turn become one user message. */
export function decodeMessages(values: readonly unknown[]): Message[] {
  const messages: Message[] = []
  const calls = createCallIndex()
  let results: Part[] | undefined

  for (const [index, value] of values.entries()) {
    const message = asJsonObject(value)
    if (!message) throw new DialectError('invalid_request', `messages[${index}] must be an object`)
    if (message.role === 'tool' || message.role === 'function') {
      if (!results) messages.push({ role: 'user', parts: (results = []) })
      results.push(decodeResult(message, calls))
      continue
    }
    results = undefined
    const role = ROLES[asText(message.role)]
    if (!role) throw new DialectError('invalid_request', `messages[${index}].role is unknown`)
    const parts = role === 'assistant' ? decodeAssistant(message, index) : decodeContent(message.content)
    markLastPart(parts, message)
    for (const part of parts) if (part.type === 'tool-call') calls.add(part)
    if (parts.length > 0) messages.push({ role, parts })
  }
  return messages
}

const ROLES: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
}

type CallIndex = ReturnType<typeof createCallIndex>

/** Calls so far, to match tool results. */
function createCallIndex() {
  const names = new Map<string, string>()
  const open: { id: string; name: string }[] = []
  return {
    add({ id, name }: { id: string; name: string }): void {
      names.set(id, name)
      open.push({ id, name })
    },
    nameOf: (id: string) => names.get(id),
    /**
     * Legacy function messages carry only the function name. The first call of that function without a result is meant.
     */
    takeByName(name: string): string {
      const index = open.findIndex((call) => call.name === name)
      return index === -1 ? `call_${name}` : open.splice(index, 1)[0]!.id
    },
  }
}

function decodeResult(message: JsonObject, calls: CallIndex): ToolResultPart {
  const isLegacy = message.role === 'function'
  const callId = isLegacy ? calls.takeByName(asText(message.name)) : asText(message.tool_call_id)
  if (callId === '') throw new DialectError('invalid_request', 'a tool message needs a tool_call_id')
  const name = isLegacy ? asText(message.name) : (calls.nameOf(callId) ?? asText(message.name))
  const content = decodeContent(message.content).map((part) => {
    if (part.type === 'text' || part.type === 'image' || part.type === 'document') return part
    throw new DialectError('cannot_express', `${part.type} in the result of a tool`)
  })
  return { type: 'tool-result', callId, ...(name !== '' && { name }), content, ...readCacheControl(message) }
}

/** Decodes an assistant message in its original order, as far as the message shows it. */
function decodeAssistant(message: JsonObject, index: number): Part[] {
  if (asJsonObject(message.audio))
    throw new DialectError('cannot_express', 'audio of an earlier response, stored by its provider')
  const parts: Part[] = decodeContent(message.content).flatMap((part) =>
    part.type === 'text' && !part.cache ? splitMarkdownImages(part.text) : [part],
  )
  if (asText(message.refusal) !== '') parts.push({ type: 'refusal', text: asText(message.refusal) })
  for (const call of asList(message.tool_calls)) parts.push(decodeCall(asJsonObject(call) ?? {}))
  const legacy = asJsonObject(message.function_call)
  // Legacy calls have no id. The message index makes an id that is stable for the conversation.
  if (legacy) parts.push(decodeCall({ id: `call_${index}`, function: legacy }))
  return insertThoughts(decodeThoughts(message), parts)
}

function decodeCall(call: JsonObject): ToolCallPart {
  const custom = asJsonObject(call.custom)
  const called = custom ?? asJsonObject(call.function) ?? {}
  const id = asText(call.id)
  const name = asText(called.name)
  if (id === '' || name === '') throw new DialectError('invalid_request', 'a tool call needs an id and a name')
  const signature = readClientCallSignature(call)
  return {
    type: 'tool-call',
    id,
    name,
    // Other protocols represent a text tool as a function with one string.
    arguments: custom ? JSON.stringify({ input: asText(custom.input) }) : asText(called.arguments),
    ...(signature && { signature }),
  }
}
