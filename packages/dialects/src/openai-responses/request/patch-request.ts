import type { BodyChanges, RequestOverrides, RequestHead } from '../../canonical/index.ts'
import { asText, asJsonObject } from '../../json/json-object.ts'
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
  if (Array.isArray(body.input) && body.input.some(hasGatewaySignature))
    changes.input = body.input.flatMap(restoreReasoning)
  return changes
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
