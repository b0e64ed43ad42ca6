import { readSignature, type Signature, writeSignature } from '../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'
import { DIALECT_ID } from './ids.ts'
import { isForeignSearch, withoutForeignCitations } from './response/searches.ts'

/** Wrapped signatures never end like this, because base64url has no dot. */
const CALL_SUFFIX = '.call'

/**
 * Carries the signature of a tool call. This protocol has no field for it, but clients send thinking back unchanged. So
 * the signature is an empty thinking block right before the call.
 *
 * Encrypted reasoning is an empty block too and may also precede a call. So the signature of a call has a suffix, and
 * only a block with that suffix is read as one. It belongs to the `tool_use` block that follows.
 */
export function writeCallSignature(signature: Signature): JsonObject | undefined {
  if (signature.dialect === DIALECT_ID) return undefined // no provider of this protocol signs calls
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
 * Removes thinking, searches and citations of other providers, because the provider rejects what it did not sign.
 * Returns the same list if there is none, which is the usual case.
 */
export function withoutForeignBlocks(messages: readonly unknown[]): readonly unknown[] {
  return mapBlocks(messages, ownBlock)
}

/** Removes all thinking too. */
export function withoutThinking(messages: readonly unknown[]): readonly unknown[] {
  return mapBlocks(messages, (block) => (isThinkingBlock(block) ? undefined : ownBlock(block)))
}

/** Blocks that map to undefined are removed. */
function mapBlocks(messages: readonly unknown[], map: (block: unknown) => unknown): readonly unknown[] {
  if (!messages.some((message) => assistantBlocks(message).some((block) => map(block) !== block))) return messages
  return messages.flatMap((message) => {
    const blocks = assistantBlocks(message)
    const kept = blocks.map(map).filter((block) => block !== undefined)
    if (kept.length === blocks.length && kept.every((block, index) => block === blocks[index])) return [message]
    // The provider rejects a message without content, but accepts consecutive messages of one role.
    return kept.length === 0 ? [] : [{ ...asJsonObject(message), content: kept }]
  })
}

export function isThinkingBlock(block: unknown): boolean {
  const type = asJsonObject(block)?.type
  return type === 'thinking' || type === 'redacted_thinking'
}

function assistantBlocks(message: unknown): readonly unknown[] {
  const object = asJsonObject(message)
  return object?.role === 'assistant' ? asList(object.content) : []
}

function ownBlock(value: unknown): unknown {
  const block = asJsonObject(value)
  if (!block) return value
  if (block.type === 'text') return withoutForeignCitations(block)
  return isForeignThinking(block) || isForeignSearch(block) ? undefined : value
}

function isForeignThinking(block: JsonObject): boolean {
  if (block.type === 'thinking') {
    return (
      readCallSignature(block) !== undefined ||
      readSignature(asText(block.signature), DIALECT_ID).dialect !== DIALECT_ID
    )
  }
  return block.type === 'redacted_thinking' && readSignature(asText(block.data), DIALECT_ID).dialect !== DIALECT_ID
}
