import { DialectError } from '../../canonical/errors.ts'
import type { Message, Part, ThinkingPart, ToolCallPart, ToolResultPart } from '../../canonical/index.ts'
import { asList, type JsonObject } from '../../json/json-object.ts'
import { withErrorPrefix } from '../../openai-wire/tool-result.ts'
import { writeProviderCallSignature } from '../signatures.ts'
import { encodeContent, isEncodable, joinTexts, mediaPart } from './encode-content.ts'

/**
 * Encodes the conversation for a provider. Providers of this protocol accept only text in tool results, and media only
 * from users. So media of a tool follows in a user message that names the call, and so do images of the assistant. They
 * wait until all results of the turn are written, because nothing may separate a call from its results.
 */
export function encodeMessages(messages: readonly Message[]): JsonObject[] {
  const encoded: JsonObject[] = []
  const idOf = createCallIds()
  let pendingMedia: JsonObject[] = []

  const addUser = (parts: readonly Part[]) => {
    const content = encodeContent(parts, pendingMedia)
    pendingMedia = []
    if (content.length > 0) encoded.push({ role: 'user', content })
  }

  for (const { role, parts } of messages) {
    const results = parts.filter((part) => part.type === 'tool-result')
    for (const result of results.map(withErrorPrefix)) {
      const id = idOf(result.callId)
      const media = result.content.flatMap((part) => mediaPart(part))
      const text = resultText(result, media.length > 0)
      const content = result.cache ? encodeContent([{ type: 'text', text, cache: result.cache }]) : text
      encoded.push({ role: 'tool', tool_call_id: id, content })
      pendingMedia.push(...withLabel(`Shown by the tool call ${id}:`, media))
    }
    const rest = parts.filter((part) => part.type !== 'tool-result' && isEncodable(part))
    if (rest.length === 0) continue
    if (role === 'user') {
      addUser(rest)
      continue
    }
    addUser([])
    if (role === 'system') encoded.push({ role, content: encodeContent(rest) })
    else encoded.push(...encodeAssistant(rest, idOf))
    if (role === 'assistant') pendingMedia.push(...encodeAssistantImages(rest))
  }
  addUser([])
  return encoded
}

function resultText({ content }: ToolResultPart, hasMedia: boolean): string {
  const text = joinTexts(content)
  if (text !== '') return text
  if (hasMedia) return 'The result is shown in the next user message.'
  return ''
}

function encodeAssistantImages(parts: readonly Part[]): JsonObject[] {
  const media = parts.filter((part) => part.type === 'image').flatMap((part) => mediaPart(part))
  return withLabel('Shown by the assistant in the message above:', media)
}

function withLabel(text: string, media: readonly JsonObject[]): JsonObject[] {
  return media.length > 0 ? [{ type: 'text', text }, ...media] : []
}

/** Encodes an assistant message. Empty if the provider can use no part of it. */
function encodeAssistant(parts: readonly Part[], idOf: (id: string) => string): JsonObject[] {
  rejectAssistantMedia(parts)
  // Images follow in the next user message. The placeholder shows where they came from.
  const text = parts.map(partText).join('') || (parts.some(({ type }) => type === 'image') ? '(an image)' : '')
  const calls = parts.filter((part) => part.type === 'tool-call').map((call) => encodeCall(call, idOf))
  const thoughts = encodeThoughts(parts.filter((part) => part.type === 'thinking'))
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...thoughts,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

function rejectAssistantMedia(parts: readonly Part[]): void {
  const unsupported = parts.find(({ type }) => type === 'audio' || type === 'document')
  if (unsupported) throw new DialectError('cannot_express', `${unsupported.type} in an assistant message`)
}

/** A refusal becomes plain text, because only OpenAI has a field for it. */
function partText(part: Part): string {
  return part.type === 'text' || part.type === 'refusal' ? part.text : ''
}

function encodeCall({ id, name, arguments: text, signature }: ToolCallPart, idOf: (id: string) => string): JsonObject {
  return {
    id: idOf(id),
    type: 'function',
    function: { name, arguments: text === '' ? '{}' : text },
    ...writeProviderCallSignature(signature),
  }
}

/** Thoughts go back only to providers of this protocol, in the field they came in. See createReasoningReader. */
function encodeThoughts(thoughts: readonly ThinkingPart[]): JsonObject {
  const fields: Record<string, string> = {}
  const details: unknown[] = []
  for (const { text, signature } of thoughts) {
    if (signature?.dialect !== 'openai-chat') continue
    const { value } = signature
    if (value.startsWith('[')) details.push(...parseDetails(value))
    else if (text !== '') {
      const field = value === 'reasoning' ? 'reasoning' : 'reasoning_content'
      fields[field] = (fields[field] ?? '') + text
    }
  }
  return { ...fields, ...(details.length > 0 && { reasoning_details: details }) }
}

/** Clients may send back any value. */
function parseDetails(value: string): readonly unknown[] {
  try {
    return asList(JSON.parse(value))
  } catch {
    return []
  }
}

const MAX_ID_LENGTH = 40

/** OpenAI rejects call ids with more than 40 characters. Longer ids are replaced by a counter. */
function createCallIds(): (id: string) => string {
  const renamed = new Map<string, string>()
  return (id) => {
    if (id.length <= MAX_ID_LENGTH) return id
    let short = renamed.get(id)
    if (short === undefined) renamed.set(id, (short = `call_renamed_${renamed.size}`))
    return short
  }
}
