import type { BodyChanges, OwnedFields, RequestHead } from '../../canonical/index.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isThirdGeneration } from '../model-names.ts'
import { isWrapped } from '../signatures.ts'
import { partsOf } from './prompt-parts.ts'
import { UNSIGNED } from './sign-calls.ts'

/** Model and stream are in the address, so an operator's prompt is all there is to write, and what others signed. */
export function ownedChanges(
  { tree }: Pick<RequestHead, 'tree'>,
  { model, systemPrompt }: Pick<OwnedFields, 'model' | 'systemPrompt'>,
): BodyChanges {
  const changes: BodyChanges = {}
  if (systemPrompt) {
    const name = tree.system_instruction === undefined ? 'systemInstruction' : 'system_instruction'
    changes[name] = withPrompt(tree[name], systemPrompt)
  }
  if (asList(tree.contents).some((content) => partsOf(content).some(isForeign))) {
    changes.contents = asList(tree.contents).flatMap((content) => withoutForeign(content, model))
  }
  return changes
}

function withPrompt(system: unknown, prompt: string): JsonObject {
  const content = asJsonObject(system)
  const rest = content && 'parts' in content ? content : {}
  return { ...rest, parts: [{ text: prompt }, ...partsOf(system)] }
}

/** Signed by another vendor, who answered earlier in this conversation: Google refuses what it did not sign. */
function isForeign(part: unknown): boolean {
  const tree = asJsonObject(part)
  return tree !== undefined && isWrapped(signatureOf(tree))
}

function signatureOf(part: JsonObject): string {
  return asText(part.thoughtSignature ?? part.thought_signature)
}

function withoutForeign(content: unknown, model: string): unknown[] {
  const all = partsOf(content)
  if (!all.some(isForeign)) return [content]
  const parts = all.flatMap((part) => (isForeign(part) ? unsigned(asJsonObject(part)!, model) : [part]))
  return parts.length === 0 ? [] : [{ ...asJsonObject(content), parts }]
}

function unsigned(
  { thoughtSignature: _ours, thought_signature: _too, ...part }: JsonObject,
  model: string,
): JsonObject[] {
  if (part.functionCall ?? part.function_call) {
    return [isThirdGeneration(model) ? { ...part, thoughtSignature: UNSIGNED } : part]
  }
  // A part that only held the signature has nothing left to say.
  return Object.keys(part).length === 0 || part.text === '' ? [] : [part]
}
