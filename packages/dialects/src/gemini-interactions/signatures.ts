import type { Signature, ThinkingPart } from '../canonical/index.ts'
import { readEnvelope, writeEnvelope } from '../google-wire/signature-envelope.ts'
import { asJsonObjects, asText, type JsonObject } from '../json/json-object.ts'
import { DIALECT_ID } from './ids.ts'

/** Begins the id of a signature that belongs to the call with this id. Such a thought has no summary. */
const SIGNS_CALL = 'call:'

/** Marks unsigned thoughts as Google's, so that they can be sent back to it. */
export const EMPTY_SIGNATURE: Signature = { dialect: DIALECT_ID, value: '' }

export type DecodedThought =
  | { readonly kind: 'thought'; readonly part: ThinkingPart }
  | { readonly kind: 'call'; readonly callId: string; readonly signature: Signature }

/** Reads a thought that a client sent back. */
export function decodeThought(step: JsonObject): DecodedThought {
  const text = summaryText(step)
  const value = asText(step.signature)
  if (value === '') return { kind: 'thought', part: { type: 'thinking', text, signature: EMPTY_SIGNATURE } }
  const { thoughts, signature } = readEnvelope(value, DIALECT_ID)
  // A wrapped signature includes the text of its thought, which clients may drop or change.
  const [wrapped] = thoughts
  if (wrapped) return { kind: 'thought', part: wrapped }
  if (signature?.id?.startsWith(SIGNS_CALL)) {
    const { id, ...own } = signature
    return { kind: 'call', callId: id.slice(SIGNS_CALL.length), signature: own }
  }
  return { kind: 'thought', part: { type: 'thinking', text, signature: signature ?? EMPTY_SIGNATURE } }
}

/** Texts of a summary. Images in it belong to the client only. */
export function summaryText({ summary }: JsonObject): string {
  return asJsonObjects(summary)
    .map(({ text }) => asText(text))
    .join('')
}

/** Signature of a thought for a client. Another provider's includes the text, which the client may not see. */
export function encodeThoughtSignature(thought: Omit<ThinkingPart, 'type'>): string | undefined {
  const { signature } = thought
  if (!signature) return undefined
  if (signature.dialect === DIALECT_ID) return signature.value || undefined
  return writeEnvelope({ thoughts: [{ type: 'thinking', ...thought }] }, DIALECT_ID)
}

/** Google signs thoughts, not calls. The signature of a call becomes a thought before it. */
export function encodeCallSignature(callId: string, signature: Signature): string {
  return writeEnvelope({ thoughts: [], signature: { ...signature, id: SIGNS_CALL + callId } }, DIALECT_ID)!
}
