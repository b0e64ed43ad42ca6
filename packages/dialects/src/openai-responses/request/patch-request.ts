import type { BodyChanges, OwnedFields, RequestHead } from '../../canonical/index.ts'
import { asText, asJsonObject } from '../../json/json-object.ts'
import { isOurSeal, readSeal } from '../signatures.ts'

/** Only what we own is changed, all else is sent as it was written. */
export function ownedChanges(
  { tree: body, stream }: Pick<RequestHead, 'tree' | 'stream'>,
  owned: OwnedFields,
): BodyChanges {
  const changes: BodyChanges = {}
  if (body.model !== owned.model) changes.model = owned.model
  if (stream !== owned.stream) {
    changes.stream = owned.stream
    // A call that no longer streams must not say how it would: vendors refuse that.
    if (body.stream_options !== undefined) changes.stream_options = undefined
  }
  if (owned.systemPrompt) changes.instructions = prefixed(body.instructions, owned.systemPrompt)
  if (Array.isArray(body.input) && body.input.some(isSealedByUs)) changes.input = body.input.flatMap(withoutOurSeal)
  return changes
}

function prefixed(instructions: unknown, prompt: string): string {
  return typeof instructions === 'string' && instructions !== '' ? `${prompt}\n\n${instructions}` : prompt
}

/** Earlier turns may have been answered by vendors of other dialects; this one refuses reasoning it did not seal. */
function isSealedByUs(item: unknown): boolean {
  const object = asJsonObject(item)
  return object?.type === 'reasoning' && isOurSeal(asText(object.encrypted_content))
}

function withoutOurSeal(item: unknown): unknown[] {
  if (!isSealedByUs(item)) return [item]
  const object = asJsonObject(item) ?? {}
  const seal = readSeal(asText(object.encrypted_content))
  if (seal.of === 'call' || seal.signature.dialect !== 'openai-responses') return []
  const { value, id } = seal.signature
  return [{ ...object, ...(id !== undefined && { id }), encrypted_content: value }]
}
