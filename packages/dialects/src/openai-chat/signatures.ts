import { type Part, readSignature, type Signature, type ThinkingPart, writeSignature } from '../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'

/**
 * A call's signature travels where Google's chat API has documented it. That API is the only one of this dialect to sign
 * calls, so a bare signature there is a Gemini model's, good for either of Google's APIs.
 */
function readSignatureText(call: JsonObject): string {
  return asText(asJsonObject(asJsonObject(call.extra_content)?.google)?.thought_signature)
}

/** From a client, who may have been served by either of Google's APIs before. */
export function readClientCallSignature(call: JsonObject): Signature | undefined {
  const text = readSignatureText(call)
  return text === '' ? undefined : readSignature(text, 'gemini-generate')
}

/** From a vendor of this dialect, to be handed back to one of this dialect. */
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
 * Where thoughts and their signatures live on the messages of a chat client: a list beside `reasoning_content`, which
 * clients that know it hand back. `index` is the thought's place among the parts of the answer, for a chat message has
 * its text, its calls and its thoughts in separate fields, and some vendors insist on the order.
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
  // One of a vendor of this dialect goes back whole: it may say more than we understand.
  const signature = read.dialect === 'openai-chat' ? { ...read, value: JSON.stringify([detail]) } : read
  return { index, part: { type: 'thinking', text, signature, ...(redacted && { redacted }) } }
}

/** Puts the thoughts at their places, and everything else in order around them. */
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
 * Takes out the signatures of other dialects' vendors that a client keeps for us: they are our words, and a vendor of
 * this dialect may refuse them. The very list when there are none, which is nearly always.
 */
export function withoutForeignSignatures(messages: readonly unknown[]): readonly unknown[] {
  return messages.some(hasForeignSignature)
    ? messages.map((message) => (hasForeignSignature(message) ? removeForeignSignatures(message) : message))
    : messages
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
  if (!isForeignCall(call)) return call
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
