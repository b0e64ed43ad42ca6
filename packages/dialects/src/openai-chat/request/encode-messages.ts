import { DialectError } from '../../canonical/errors.ts'
import type { Message, Part, ThinkingPart, ToolCallPart, ToolResultPart } from '../../canonical/index.ts'
import { asList, type JsonObject } from '../../json/json-object.ts'
import { writeProviderCallSignature } from '../signatures.ts'
import { encodeContent, isEncodable, joinTexts, mediaPart } from './encode-content.ts'

/**
 * The conversation for a vendor. Vendors of this dialect take only text as the result of a tool, and only from users
 * anything else. So what a tool showed follows in a user message that names the call, and likewise what a model drew.
 * It waits until all results of the turn are told: nothing may stand between a call and them.
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
    for (const result of results) {
      const id = idOf(result.callId)
      const media = result.content.flatMap((part) => mediaPart(part))
      encoded.push({ role: 'tool', tool_call_id: id, content: resultText(result, media.length > 0) })
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

function resultText({ content, isError }: ToolResultPart, hasMedia: boolean): string {
  const text = joinTexts(content)
  if (text !== '') return text
  if (hasMedia) return 'The result is shown in the next user message.'
  return isError ? 'The tool failed without a message.' : ''
}

function encodeAssistantImages(parts: readonly Part[]): JsonObject[] {
  const media = parts.filter((part) => part.type === 'image').flatMap((part) => mediaPart(part))
  return withLabel('Shown by the assistant in the message above:', media)
}

function withLabel(text: string, media: readonly JsonObject[]): JsonObject[] {
  return media.length > 0 ? [{ type: 'text', text }, ...media] : []
}

/** An assistant message for a vendor; none when nothing of it means anything to this one. */
function encodeAssistant(parts: readonly Part[], idOf: (id: string) => string): JsonObject[] {
  rejectAssistantMedia(parts)
  // What it drew follows in the next user message, and must not seem to come from nowhere.
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

/** A refusal is said in plain words: the field for it is OpenAI's alone. */
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

/** Thoughts go back to vendors of this dialect only, in the field they came in; see `read-reasoning.ts`. */
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

/** Clients keep the signature for us and may bring back anything. */
function parseDetails(value: string): readonly unknown[] {
  try {
    return asList(JSON.parse(value))
  } catch {
    return []
  }
}

const MAX_ID_LENGTH = 40

/** OpenAI refuses ids of calls beyond 40 characters. Longer ones get a name by the order they appear in. */
function createCallIds(): (id: string) => string {
  const renamed = new Map<string, string>()
  return (id) => {
    if (id.length <= MAX_ID_LENGTH) return id
    let short = renamed.get(id)
    if (short === undefined) renamed.set(id, (short = `call_renamed_${renamed.size}`))
    return short
  }
}
