import { readSignature, type Signature, writeSignature } from '../canonical/index.ts'
import { asText, type JsonObject } from '../json/json-object.ts'
import { OWN } from './ids.ts'

/** No envelope ends like this: its letters are those of base64url, which has no dot. */
const OF_CALL = '.call'

/**
 * A place for the proof some vendors put on a tool call. This dialect has none, but its clients hand thinking back
 * unread, so the proof travels as a thought without words right before the call.
 *
 * A vendor's own thought may be wordless too (encrypted reasoning), and stand before a call as well. So the proof of a
 * call is told by a tail on its envelope, and only a block with that tail is read back as one: it belongs to the
 * `tool_use` block that follows it, and is nothing without one.
 */
export function callSignatureBlock(signature: Signature): JsonObject | undefined {
  if (signature.dialect === OWN) return undefined // no vendor of this dialect signs calls
  return { type: 'thinking', thinking: '', signature: writeSignature(signature, OWN) + OF_CALL }
}

export function callSignatureIn(block: JsonObject): Signature | undefined {
  if (block.type !== 'thinking' || block.thinking !== '') return undefined
  const text = asText(block.signature)
  if (!text.endsWith(OF_CALL)) return undefined
  const signature = readSignature(text.slice(0, -OF_CALL.length), OWN)
  return signature.dialect === OWN ? undefined : signature
}
