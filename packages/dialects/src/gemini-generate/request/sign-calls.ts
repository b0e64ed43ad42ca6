import type { JsonObject } from '../../json/json-object.ts'
import { isThirdGeneration } from '../model-names.ts'

/**
 * Google's documented stand-in for calls that its models did not make: other vendors' turns, or turns written by hand.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const UNSIGNED = 'skip_thought_signature_validator'

export interface Content {
  readonly role: 'user' | 'model'
  parts: JsonObject[]
}

/**
 * The third generation refuses a step whose first call is not signed; older models do not know the stand-in. Calls made
 * side by side share the signature of the first.
 */
export function signCalls(contents: readonly Content[], model: string): void {
  if (!isThirdGeneration(model)) return
  for (const content of contents) {
    if (content.role !== 'model') continue
    const first = content.parts.findIndex(isCall)
    if (first === -1 || content.parts.some((part) => isCall(part) && part.thoughtSignature !== undefined)) continue
    content.parts[first] = { ...content.parts[first], thoughtSignature: UNSIGNED }
  }
}

function isCall(part: JsonObject): boolean {
  return part.functionCall !== undefined
}
