import { readSignature, type Signature, type ThinkingPart } from '../canonical/index.ts'
import { wrapSignature } from '../canonical/signature.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'

/**
 * Decoded `encrypted_content` of a reasoning item, which clients send back unchanged. It does not depend on the item's id
 * or position, because clients drop ids and truncate histories. The text is one of
 *
 *     …                       signature of a provider of this protocol for its own reasoning
 *     tg1.…                   signature of another protocol, see canonical/signature.ts
 *     tgr1.tg1.…              the same for redacted reasoning
 *     tgc1.<call id>.tg1.…    signature of a tool call, in an empty item before the call
 *
 * The last form names its call, so that each call gets its own signature back. A signature is dropped if its call is no
 * longer in the conversation.
 */
type DecodedSignature =
  | { readonly kind: 'thought'; readonly signature: Signature; readonly redacted?: boolean }
  | { readonly kind: 'call'; readonly callId: string; readonly signature: Signature }

const DIALECT_ID = 'openai-responses'
const WRAPPED_PREFIX = 'tg1.'
const REDACTED_PREFIX = 'tgr1.'
const CALL_PREFIX = 'tgc1.'

export function decodeSignature(text: string): DecodedSignature {
  if (text.startsWith(REDACTED_PREFIX)) {
    return { kind: 'thought', signature: readSignature(text.slice(REDACTED_PREFIX.length), DIALECT_ID), redacted: true }
  }
  const wrappedAt = text.startsWith(CALL_PREFIX) ? text.lastIndexOf(`.${WRAPPED_PREFIX}`) : -1
  if (wrappedAt === -1) return { kind: 'thought', signature: readSignature(text, DIALECT_ID) }
  return {
    kind: 'call',
    callId: text.slice(CALL_PREFIX.length, wrappedAt),
    signature: readSignature(text.slice(wrappedAt + 1), DIALECT_ID),
  }
}

/** Whether the gateway wrote the value, as opposed to a provider of this protocol. */
export function isGatewaySignature(text: string): boolean {
  return text.startsWith(WRAPPED_PREFIX) || text.startsWith(REDACTED_PREFIX) || text.startsWith(CALL_PREFIX)
}

/** Value for the reasoning item `itemId` of a client. `undefined` if there is no signature to send back. */
export function encodeThoughtSignature(
  signature: Signature | undefined,
  { itemId, redacted }: { itemId: string; redacted?: boolean },
): string | undefined {
  if (signature === undefined) return undefined
  if (signature.dialect !== DIALECT_ID) return (redacted === true ? REDACTED_PREFIX : '') + wrapSignature(signature)
  if (signature.value === '') return undefined
  // A provider rejects its signature on an item with another id, so the original id is wrapped with the signature.
  return signature.id === undefined || signature.id === itemId ? signature.value : wrapSignature(signature)
}

export function encodeCallSignature(callId: string, signature: Signature): string {
  return `${CALL_PREFIX}${callId}.${wrapSignature(signature)}`
}

/** Without text, an empty signature is not worth sending. */
export function hasSignatureValue(signature: Signature | undefined): boolean {
  return signature !== undefined && signature.value !== ''
}

/** Id of the reasoning item that a provider of this protocol sent. */
export function reasoningItemId(signature: Signature | undefined): string | undefined {
  return signature?.dialect === 'openai-responses' ? signature.id : undefined
}

export const SECTION_SEPARATOR = '\n\n'

/** Decodes a reasoning item that a client sent back. `undefined` if it has neither text nor signature. */
export function decodeReasoningItem(item: JsonObject): ThinkingPart | undefined {
  const text = readReasoningTexts(item).join(SECTION_SEPARATOR)
  const encrypted = asText(item.encrypted_content)
  if (text === '' && encrypted === '') return undefined
  const decoded = decodeSignature(encrypted)
  if (decoded.kind === 'call') return undefined
  return {
    type: 'thinking',
    text,
    signature: withItemId(item, decoded.signature),
    ...(decoded.redacted === true && { redacted: true }),
  }
}

/**
 * Signature of a provider's reasoning item. It is empty if the provider does not encrypt, which still marks the text as
 * its own. A value that looks like ours came from another gateway and goes back unchanged.
 */
export function readProviderSignature(item: JsonObject): Signature {
  return withItemId(item, { dialect: 'openai-responses', value: asText(item.encrypted_content) })
}

function withItemId(item: JsonObject, signature: Signature): Signature {
  const id = asText(item.id)
  return signature.dialect !== 'openai-responses' || signature.id !== undefined || id === ''
    ? signature
    : { ...signature, id }
}

/** Sections of a reasoning item: its content if the provider sends it, else its summary. */
export function readReasoningTexts(item: JsonObject, from?: 'summary' | 'content'): string[] {
  if (from !== undefined) return readTexts(item[from])
  const content = readTexts(item.content)
  return content.length > 0 ? content : readTexts(item.summary)
}

function readTexts(list: unknown): string[] {
  return asList(list)
    .map((section) => asText(asJsonObject(section)?.text))
    .filter((text) => text !== '')
}

/**
 * Encodes reasoning for a provider. Reasoning without a signature came as content and goes back as content. `undefined`
 * for reasoning of other protocols.
 */
export function encodeReasoningItem({ text, signature }: ThinkingPart): JsonObject | undefined {
  if (signature?.dialect !== 'openai-responses') return undefined
  const identity = { type: 'reasoning', ...(signature.id !== undefined && { id: signature.id }) }
  if (signature.value !== '') {
    return { ...identity, summary: writeSummary(text), encrypted_content: signature.value }
  }
  return text === '' ? undefined : { ...identity, summary: [], content: [{ type: 'reasoning_text', text }] }
}

export function writeSummary(text: string): JsonObject[] {
  return text === '' ? [] : [{ type: 'summary_text', text }]
}
