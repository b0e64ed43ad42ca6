import { readSignature, type Signature, writeSignature } from '../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'
import { DIALECT_ID } from './ids.ts'

/** No envelope ends like this: its letters are those of base64url, which has no dot. */
const CALL_SUFFIX = '.call'

/**
 * A place for the proof some vendors put on a tool call. This dialect has none, but its clients hand thinking back
 * unread, so the proof travels as a thought without words right before the call.
 *
 * A vendor's own thought may be wordless too (encrypted reasoning), and stand before a call as well. So the proof of a
 * call is told by a tail on its envelope, and only a block with that tail is read back as one: it belongs to the
 * `tool_use` block that follows it, and is nothing without one.
 */
export function writeCallSignature(signature: Signature): JsonObject | undefined {
  if (signature.dialect === DIALECT_ID) return undefined // no vendor of this dialect signs calls
  return { type: 'thinking', thinking: '', signature: writeSignature(signature, DIALECT_ID) + CALL_SUFFIX }
}

export function readCallSignature(block: JsonObject): Signature | undefined {
  if (block.type !== 'thinking' || block.thinking !== '') return undefined
  const text = asText(block.signature)
  if (!text.endsWith(CALL_SUFFIX)) return undefined
  const signature = readSignature(text.slice(0, -CALL_SUFFIX.length), DIALECT_ID)
  return signature.dialect === DIALECT_ID ? undefined : signature
}

/**
 * Takes out the thoughts of other vendors that a client keeps for us: this vendor refuses a signature it did not make.
 * The very list when there are none, which is nearly always.
 */
export function withoutForeignThinking(messages: readonly unknown[]): readonly unknown[] {
  if (!messages.some((message) => assistantBlocks(message).some(isForeign))) return messages
  return messages.flatMap((message) => {
    const blocks = assistantBlocks(message)
    const own = blocks.filter((block) => !isForeign(block))
    if (own.length === blocks.length) return [message]
    // Nothing but foreign thoughts: a message without content would be refused, two of one role in a row are not.
    return own.length === 0 ? [] : [{ ...asJsonObject(message), content: own }]
  })
}

function assistantBlocks(message: unknown): readonly unknown[] {
  const object = asJsonObject(message)
  return object?.role === 'assistant' ? asList(object.content) : []
}

function isForeign(value: unknown): boolean {
  const block = asJsonObject(value)
  if (block?.type === 'thinking') {
    return (
      readCallSignature(block) !== undefined ||
      readSignature(asText(block.signature), DIALECT_ID).dialect !== DIALECT_ID
    )
  }
  return block?.type === 'redacted_thinking' && readSignature(asText(block.data), DIALECT_ID).dialect !== DIALECT_ID
}
