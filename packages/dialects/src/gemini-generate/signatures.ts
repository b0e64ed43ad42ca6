import type { JsonObject } from '../json/json-object.ts'
import { isThirdGeneration } from './model-names.ts'

/**
 * Signature id for parts other than thoughts and calls. Other protocols have no field for such signatures, so they
 * become empty thoughts after the part.
 */
export const SIGNS_PREVIOUS_PART = 'previous'

/**
 * Google's documented value for calls that its models did not make.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const SKIP_VALIDATION = 'skip_thought_signature_validator'

export interface Content {
  readonly role: 'user' | 'model'
  parts: JsonObject[]
}

/**
 * The third generation rejects a step whose first call is not signed. Older models do not know the placeholder.
 * Parallel calls share the signature of the first.
 */
export function signCalls(contents: readonly Content[], model: string): void {
  if (!isThirdGeneration(model)) return
  for (const content of contents) {
    if (content.role !== 'model') continue
    const first = content.parts.findIndex(isCall)
    if (first === -1 || content.parts.some((part) => isCall(part) && part.thoughtSignature !== undefined)) continue
    content.parts[first] = { ...content.parts[first], thoughtSignature: SKIP_VALIDATION }
  }
}

function isCall(part: JsonObject): boolean {
  return part.functionCall !== undefined
}
