import type { BodyChanges, RequestOverrides, RequestHead } from '../../canonical/index.ts'
import { asText, asJsonObject } from '../../json/json-object.ts'
import { compactedText, expandCompaction } from '../compaction.ts'
import { isSealed, openSealedItem } from '../sealed-content.ts'
import { isGatewaySignature, decodeSignature } from '../signatures.ts'

/** Changes only the fields that the gateway sets. Everything else is forwarded unchanged. */
export function passThroughChanges(
  { body, stream }: Pick<RequestHead, 'body' | 'stream'>,
  overrides: RequestOverrides,
): BodyChanges {
  const changes: BodyChanges = {}
  if (body.model !== overrides.model) changes.model = overrides.model
  if (stream !== overrides.stream) {
    changes.stream = overrides.stream
    // Providers reject `stream_options` in a request that does not stream.
    if (body.stream_options !== undefined) changes.stream_options = undefined
  }
  if (overrides.systemPrompt) changes.instructions = prefixInstructions(body.instructions, overrides.systemPrompt)
  if (Array.isArray(body.input)) {
    const items = overrides.withoutThinking ? body.input.filter((item) => !isReasoning(item)) : body.input
    const isChanged = items.some((item) => hasGatewaySignature(item) || isCompacted(item) || isSealed(item))
    if (isChanged) changes.input = items.flatMap((item) => restoreItem(item, overrides.account))
    else if (items.length < body.input.length) changes.input = items
  }
  return changes
}

function restoreItem(item: unknown, account: string | undefined): unknown[] {
  return isSealed(item) ? openSealedItem(item, account) : restoreReasoning(item).map(expand)
}

function isCompacted(item: unknown): boolean {
  return compactedText(asJsonObject(item) ?? {}) !== undefined
}

function expand(item: unknown): unknown {
  return isCompacted(item) ? expandCompaction(asJsonObject(item) ?? {}) : item
}

function isReasoning(item: unknown): boolean {
  return asJsonObject(item)?.type === 'reasoning'
}

function prefixInstructions(instructions: unknown, prompt: string): string {
  return typeof instructions === 'string' && instructions !== '' ? `${prompt}\n\n${instructions}` : prompt
}

/** Another provider may have served earlier turns. The provider rejects reasoning that it did not encrypt. */
function hasGatewaySignature(item: unknown): boolean {
  const object = asJsonObject(item)
  return object?.type === 'reasoning' && isGatewaySignature(asText(object.encrypted_content))
}

function restoreReasoning(item: unknown): unknown[] {
  if (!hasGatewaySignature(item)) return [item]
  const object = asJsonObject(item) ?? {}
  const decoded = decodeSignature(asText(object.encrypted_content))
  if (decoded.kind === 'call' || decoded.signature.dialect !== 'openai-responses') return []
  const { value, id } = decoded.signature
  return [{ ...object, ...(id !== undefined && { id }), encrypted_content: value }]
}
