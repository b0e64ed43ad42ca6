import { type Part, readSignature, type Signature, type ThinkingPart, writeSignature } from '../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'

/**
 * Reads a call's signature from the field that Google documents for its chat API. No other API of this protocol signs
 * calls. So a plain signature is from a Gemini model and valid for both of Google's APIs.
 */
function readSignatureText(call: JsonObject): string {
  return asText(asJsonObject(asJsonObject(call.extra_content)?.google)?.thought_signature)
}

/** A client may have used either of Google's APIs before. */
export function readClientCallSignature(call: JsonObject): Signature | undefined {
  const text = readSignatureText(call)
  return text === '' ? undefined : readSignature(text, 'gemini-generate')
}

/** A provider's signature goes back only to providers of this protocol. */
export function readProviderCallSignature(call: JsonObject): Signature | undefined {
  const value = readSignatureText(call)
  return value === '' ? undefined : { dialect: 'openai-chat', value }
}

export function writeClientCallSignature(signature: Signature | undefined): JsonObject {
  if (!signature) return {}
  const bare = signature.dialect === 'openai-chat' || signature.dialect === 'gemini-generate'
  return writeExtraContent(bare ? signature.value : writeSignature(signature, 'openai-chat'))
}

export function writeProviderCallSignature(signature: Signature | undefined): JsonObject {
  return signature?.dialect === 'openai-chat' && signature.value !== '' ? writeExtraContent(signature.value) : {}
}

function writeExtraContent(signature: string): JsonObject {
  return { extra_content: { google: { thought_signature: signature } } }
}

/**
 * Writes reasoning and its signature into `reasoning_details`, which clients that know the field send back. `index` is
 * the position among the parts of the response: a chat message has text, calls and reasoning in separate fields, and
 * some providers require the order.
 */
export function writeReasoningDetail(
  { text, signature, redacted }: Omit<ThinkingPart, 'type'>,
  index: number,
): JsonObject {
  const written = signature && writeSignature(signature, 'openai-chat')
  const common = { ...(signature?.id !== undefined && { id: signature.id }), index }
  if (redacted) return { type: 'reasoning.encrypted', data: written ?? '', ...common }
  return { type: 'reasoning.text', text, ...(written !== undefined && { signature: written }), ...common }
}

interface IndexedThought {
  readonly index: number
  readonly part: ThinkingPart
}

export function decodeThoughts(message: JsonObject): IndexedThought[] {
  const details = asList(message.reasoning_details)
  if (details.length > 0)
    return details.map((detail, position) => decodeReasoningDetail(asJsonObject(detail) ?? {}, position))
  const content = asText(message.reasoning_content)
  const text = content || asText(message.reasoning)
  if (text === '') return []
  const signature: Signature = { dialect: 'openai-chat', value: content === '' ? 'reasoning' : '' }
  return [{ index: 0, part: { type: 'thinking', text, signature } }]
}

function decodeReasoningDetail(detail: JsonObject, position: number): IndexedThought {
  const index = typeof detail.index === 'number' ? asCount(detail.index) : position
  const redacted = detail.type === 'reasoning.encrypted'
  const text = redacted ? '' : asText(detail.text) || asText(detail.summary)
  const read = readSignature(asText(redacted ? detail.data : detail.signature), 'openai-chat')
  // A provider's own detail goes back as a whole, because it may have unknown fields.
  const signature = read.dialect === 'openai-chat' ? { ...read, value: JSON.stringify([detail]) } : read
  return { index, part: { type: 'thinking', text, signature, ...(redacted && { redacted }) } }
}

/** Inserts the thoughts at their index and keeps the order of the other parts. */
export function insertThoughts(thoughts: readonly IndexedThought[], others: readonly Part[]): Part[] {
  if (thoughts.length === 0) return [...others]
  const rest = [...others]
  const parts: Part[] = []
  for (const { index, part } of thoughts) {
    while (parts.length < index && rest.length > 0) parts.push(rest.shift()!)
    parts.push(part)
  }
  return [...parts, ...rest]
}

/**
 * Removes signatures of other protocols, because a provider of this protocol may reject them. Returns the same list if
 * there are none, which is the usual case.
 */
export function withoutForeignSignatures(messages: readonly unknown[]): readonly unknown[] {
  return messages.some(hasForeignSignature)
    ? messages.map((message) => (hasForeignSignature(message) ? removeForeignSignatures(message) : message))
    : messages
}

/** Removes the signatures of all providers. */
export function withoutSignatures(messages: readonly unknown[]): readonly unknown[] {
  return messages.map((message) => {
    const { reasoning_details: _details, tool_calls: calls, ...rest } = asJsonObject(message) ?? {}
    if (rest.role !== 'assistant') return message
    return { ...rest, ...(calls !== undefined && { tool_calls: asList(calls).map(removeCallSignature) }) }
  })
}

function hasForeignSignature(message: unknown): boolean {
  const object = asJsonObject(message)
  if (object === undefined || object.role !== 'assistant') return false
  return asList(object.reasoning_details).some(isForeignDetail) || asList(object.tool_calls).some(isForeignCall)
}

function removeForeignSignatures(message: unknown): JsonObject {
  const { reasoning_details, tool_calls, ...rest } = asJsonObject(message) ?? {}
  const details = asList(reasoning_details).filter((detail) => !isForeignDetail(detail))
  return {
    ...rest,
    ...(details.length > 0 && { reasoning_details: details }),
    ...(tool_calls !== undefined && { tool_calls: asList(tool_calls).map(removeForeignCallSignature) }),
  }
}

function removeForeignCallSignature(call: unknown): unknown {
  return isForeignCall(call) ? removeCallSignature(call) : call
}

function removeCallSignature(call: unknown): unknown {
  const { extra_content: _signature, ...rest } = asJsonObject(call) ?? {}
  return rest
}

function isForeignDetail(value: unknown): boolean {
  const detail = asJsonObject(value)
  return detail !== undefined && (isForeignSignature(detail.signature) || isForeignSignature(detail.data))
}

function isForeignCall(value: unknown): boolean {
  return isForeignSignature(readSignatureText(asJsonObject(value) ?? {}))
}

function isForeignSignature(text: unknown): boolean {
  return readSignature(asText(text), 'openai-chat').dialect !== 'openai-chat'
}
