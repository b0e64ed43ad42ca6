import { type BodyChanges, type OwnedFields, readSignature, type RequestHead } from '../../canonical/index.ts'
import { asList, asText, asJsonObject } from '../../json/json-object.ts'
import { callSignatureIn } from '../signatures.ts'
import { OWN } from '../ids.ts'
import { mayThink } from './thinking.ts'

export function ownedChanges({ tree, stream }: Pick<RequestHead, 'tree' | 'stream'>, owned: OwnedFields): BodyChanges {
  const changes: BodyChanges = {}
  if (tree.model !== owned.model) changes.model = owned.model
  if (stream !== owned.stream) changes.stream = owned.stream
  if (owned.systemPrompt) changes.system = withSystemPrompt(tree.system, owned.systemPrompt)
  const messages = asList(tree.messages)
  const sendable = withoutForeignThinking(messages)
  if (sendable !== messages) {
    changes.messages = sendable
    // A turn begun with another vendor's thoughts has none to start with now, and must be finished without.
    if (asJsonObject(tree.thinking)?.type === 'enabled' && !mayThink(sendable)) changes.thinking = undefined
  }
  return changes
}

/** An operator's words come before the client's; before blocks as one of their own, so that those keep their marks. */
function withSystemPrompt(system: unknown, prompt: string): unknown {
  if (Array.isArray(system)) return [{ type: 'text', text: prompt }, ...(system as unknown[])]
  return typeof system === 'string' && system !== '' ? `${prompt}\n\n${system}` : prompt
}

/**
 * Takes out the thoughts of other vendors that a client keeps for us: this vendor refuses a signature it did not make.
 * The very list when there are none, which is nearly always.
 */
function withoutForeignThinking(messages: readonly unknown[]): readonly unknown[] {
  if (!messages.some((message) => blocksOf(message).some(isForeign))) return messages
  return messages.flatMap((message) => {
    const blocks = blocksOf(message)
    const own = blocks.filter((block) => !isForeign(block))
    if (own.length === blocks.length) return [message]
    // Nothing but foreign thoughts: a message without content would be refused, two of one role in a row are not.
    return own.length === 0 ? [] : [{ ...asJsonObject(message), content: own }]
  })
}

function blocksOf(message: unknown): readonly unknown[] {
  const tree = asJsonObject(message)
  return tree?.role === 'assistant' ? asList(tree.content) : []
}

function isForeign(value: unknown): boolean {
  const block = asJsonObject(value)
  if (block?.type === 'thinking') {
    return callSignatureIn(block) !== undefined || readSignature(asText(block.signature), OWN).dialect !== OWN
  }
  return block?.type === 'redacted_thinking' && readSignature(asText(block.data), OWN).dialect !== OWN
}
