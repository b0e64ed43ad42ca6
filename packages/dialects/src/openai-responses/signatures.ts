import { readSignature, type Signature, type ThinkingPart } from '../canonical/index.ts'
import { wrapSignature } from '../canonical/signature.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'

/**
 * Where signatures travel in this dialect: in `encrypted_content` of a reasoning item, which clients hand back unread.
 * Nothing may hang on the item's id or place, for clients drop ids and cut histories. The text is one of
 *
 *     …                       bare: the seal of a vendor of this dialect on its own thought
 *     tg1.…                   another dialect's signature of the thought, see canonical/signature.ts
 *     tgr1.tg1.…              the same, where the vendor withheld the words
 *     tgc1.<call id>.tg1.…    the signature of a tool call; the item has no words and stands before the call
 *
 * The last form names its call, so that a call gets back exactly the signature it had: thoughts without words, calls
 * without a signature and several calls of one turn cannot be taken for one another. A signature whose call is no longer
 * in the conversation has nothing left to prove and is dropped.
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

/** Whether a seal was written by us, for a signature that is not the plain one of this dialect. */
export function isGatewaySignature(text: string): boolean {
  return text.startsWith(WRAPPED_PREFIX) || text.startsWith(REDACTED_PREFIX) || text.startsWith(CALL_PREFIX)
}

/** The seal of a thought that a client gets as the item `itemId`; `undefined` when there is nothing to hand back. */
export function encodeThoughtSignature(
  signature: Signature | undefined,
  { itemId, redacted }: { itemId: string; redacted?: boolean },
): string | undefined {
  if (signature === undefined) return undefined
  if (signature.dialect !== DIALECT_ID) return (redacted === true ? REDACTED_PREFIX : '') + wrapSignature(signature)
  if (signature.value === '') return undefined
  // A vendor refuses its seal on an item of another id: the true id must find its way back with the seal.
  return signature.id === undefined || signature.id === itemId ? signature.value : wrapSignature(signature)
}

export function encodeCallSignature(callId: string, signature: Signature): string {
  return `${CALL_PREFIX}${callId}.${wrapSignature(signature)}`
}

/** A mark of origin alone, on no words, is nothing to hand back. */
export function hasSignatureValue(signature: Signature | undefined): boolean {
  return signature !== undefined && signature.value !== ''
}

/** The id a vendor of this dialect gave its thought. */
export function reasoningItemId(signature: Signature | undefined): string | undefined {
  return signature?.dialect === 'openai-responses' ? signature.id : undefined
}

/** What stands between the sections of a summary once they are one text. */
export const SECTION_SEPARATOR = '\n\n'

/** The thought in an item a client handed back; `undefined` when it holds neither words nor a seal on any. */
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
 * A vendor's mark on a thought: its seal, or only that the words are its own where it does not seal them. A seal of our
 * making is no different when a vendor sends it: another gateway made it, and that one wants it back.
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

/** The sections of a thought: the thought itself where a vendor shows it, else the summary of it. */
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
 * A thought handed back to a vendor. What came without a seal came from a vendor that shows its thoughts themselves, and
 * takes them back the same way. `undefined` for the thoughts of others, which mean nothing to this vendor.
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
