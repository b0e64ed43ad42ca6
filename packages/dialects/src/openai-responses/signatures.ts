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
type Seal =
  | { readonly of: 'thought'; readonly signature: Signature; readonly redacted?: boolean }
  | { readonly of: 'call'; readonly callId: string; readonly signature: Signature }

const OWN = 'openai-responses'
const WRAPPED = 'tg1.'
const WITHHELD = 'tgr1.'
const CALL = 'tgc1.'

export function readSeal(text: string): Seal {
  if (text.startsWith(WITHHELD)) {
    return { of: 'thought', signature: readSignature(text.slice(WITHHELD.length), OWN), redacted: true }
  }
  const wrappedAt = text.startsWith(CALL) ? text.lastIndexOf(`.${WRAPPED}`) : -1
  if (wrappedAt === -1) return { of: 'thought', signature: readSignature(text, OWN) }
  return {
    of: 'call',
    callId: text.slice(CALL.length, wrappedAt),
    signature: readSignature(text.slice(wrappedAt + 1), OWN),
  }
}

/** Whether a seal was written by us, for a signature that is not the plain one of this dialect. */
export function isOurSeal(text: string): boolean {
  return text.startsWith(WRAPPED) || text.startsWith(WITHHELD) || text.startsWith(CALL)
}

/** The seal of a thought that a client gets as the item `itemId`; `undefined` when there is nothing to hand back. */
export function writeThoughtSeal(
  signature: Signature | undefined,
  { itemId, redacted }: { itemId: string; redacted?: boolean },
): string | undefined {
  if (signature === undefined) return undefined
  if (signature.dialect !== OWN) return (redacted === true ? WITHHELD : '') + wrapSignature(signature)
  if (signature.value === '') return undefined
  // A vendor refuses its seal on an item of another id: the true id must find its way back with the seal.
  return signature.id === undefined || signature.id === itemId ? signature.value : wrapSignature(signature)
}

export function writeCallSeal(callId: string, signature: Signature): string {
  return `${CALL}${callId}.${wrapSignature(signature)}`
}

/** A mark of origin alone, on no words, is nothing to hand back. */
export function isWorthKeeping(signature: Signature | undefined): boolean {
  return signature !== undefined && signature.value !== ''
}

/** The id a vendor of this dialect gave its thought. */
export function sealedId(signature: Signature | undefined): string | undefined {
  return signature?.dialect === 'openai-responses' ? signature.id : undefined
}

/** What stands between the sections of a summary once they are one text. */
export const BETWEEN_SECTIONS = '\n\n'

/** The thought in an item a client handed back; `undefined` when it holds neither words nor a seal on any. */
export function readThought(item: JsonObject): ThinkingPart | undefined {
  const text = wordsOf(item).join(BETWEEN_SECTIONS)
  const sealed = asText(item.encrypted_content)
  if (text === '' && sealed === '') return undefined
  const seal = readSeal(sealed)
  if (seal.of === 'call') return undefined
  return {
    type: 'thinking',
    text,
    signature: withIdOf(item, seal.signature),
    ...(seal.redacted === true && { redacted: true }),
  }
}

/**
 * A vendor's mark on a thought: its seal, or only that the words are its own where it does not seal them. A seal of our
 * making is no different when a vendor sends it: another gateway made it, and that one wants it back.
 */
export function ownSignature(item: JsonObject): Signature {
  return withIdOf(item, { dialect: 'openai-responses', value: asText(item.encrypted_content) })
}

function withIdOf(item: JsonObject, signature: Signature): Signature {
  const id = asText(item.id)
  return signature.dialect !== 'openai-responses' || signature.id !== undefined || id === ''
    ? signature
    : { ...signature, id }
}

/** The sections of a thought: the thought itself where a vendor shows it, else the summary of it. */
export function wordsOf(item: JsonObject, from?: 'summary' | 'content'): string[] {
  if (from !== undefined) return textsIn(item[from])
  const content = textsIn(item.content)
  return content.length > 0 ? content : textsIn(item.summary)
}

function textsIn(list: unknown): string[] {
  return asList(list)
    .map((section) => asText(asJsonObject(section)?.text))
    .filter((text) => text !== '')
}

/**
 * A thought handed back to a vendor. What came without a seal came from a vendor that shows its thoughts themselves, and
 * takes them back the same way. `undefined` for the thoughts of others, which mean nothing to this vendor.
 */
export function writeThoughtForVendor({ text, signature }: ThinkingPart): JsonObject | undefined {
  if (signature?.dialect !== 'openai-responses') return undefined
  const identity = { type: 'reasoning', ...(signature.id !== undefined && { id: signature.id }) }
  if (signature.value !== '') {
    return { ...identity, summary: summaryOf(text), encrypted_content: signature.value }
  }
  return text === '' ? undefined : { ...identity, summary: [], content: [{ type: 'reasoning_text', text }] }
}

export function summaryOf(text: string): JsonObject[] {
  return text === '' ? [] : [{ type: 'summary_text', text }]
}
