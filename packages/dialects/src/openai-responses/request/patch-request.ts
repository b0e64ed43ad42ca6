import type { BodyChanges, OwnedFields, RequestHead } from '../../canonical/index.ts'
import { asText, asJsonObject } from '../../json/json-object.ts'
import { isOurSeal, readSeal } from '../signatures.ts'

/** Only what we own is changed, all else is sent as it was written. */
export function ownedChanges({ tree, stream }: Pick<RequestHead, 'tree' | 'stream'>, owned: OwnedFields): BodyChanges {
  const changes: BodyChanges = {}
  if (tree.model !== owned.model) changes.model = owned.model
  if (stream !== owned.stream) {
    changes.stream = owned.stream
    // A call that no longer streams must not say how it would: vendors refuse that.
    if (tree.stream_options !== undefined) changes.stream_options = undefined
  }
  if (owned.systemPrompt) changes.instructions = prefixed(tree.instructions, owned.systemPrompt)
  if (Array.isArray(tree.input) && tree.input.some(isSealedByUs)) changes.input = tree.input.flatMap(withoutOurSeal)
  return changes
}

function prefixed(instructions: unknown, prompt: string): string {
  return typeof instructions === 'string' && instructions !== '' ? `${prompt}\n\n${instructions}` : prompt
}

/** Earlier turns may have been answered by vendors of other dialects; this one refuses reasoning it did not seal. */
function isSealedByUs(item: unknown): boolean {
  const tree = asJsonObject(item)
  return tree?.type === 'reasoning' && isOurSeal(asText(tree.encrypted_content))
}

function withoutOurSeal(item: unknown): unknown[] {
  if (!isSealedByUs(item)) return [item]
  const tree = asJsonObject(item) ?? {}
  const seal = readSeal(asText(tree.encrypted_content))
  if (seal.of === 'call' || seal.signature.dialect !== 'openai-responses') return []
  const { value, id } = seal.signature
  return [{ ...tree, ...(id !== undefined && { id }), encrypted_content: value }]
}
