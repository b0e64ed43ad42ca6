import { readSignature } from '../canonical/index.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../json/json-object.ts'
import { signatureTextOf } from './signatures.ts'

/**
 * Takes out the signatures of other dialects' vendors that a client keeps for us: they are our words, and a vendor of
 * this dialect may refuse them. The very list when there are none, which is nearly always.
 */
export function withoutForeignSignatures(messages: readonly unknown[]): readonly unknown[] {
  return messages.some(hasForeign)
    ? messages.map((message) => (hasForeign(message) ? cleaned(message) : message))
    : messages
}

function hasForeign(message: unknown): boolean {
  const tree = asJsonObject(message)
  if (tree === undefined || tree.role !== 'assistant') return false
  return asList(tree.reasoning_details).some(isForeignDetail) || asList(tree.tool_calls).some(isForeignCall)
}

function cleaned(message: unknown): JsonObject {
  const { reasoning_details, tool_calls, ...rest } = asJsonObject(message) ?? {}
  const details = asList(reasoning_details).filter((detail) => !isForeignDetail(detail))
  return {
    ...rest,
    ...(details.length > 0 && { reasoning_details: details }),
    ...(tool_calls !== undefined && { tool_calls: asList(tool_calls).map(withoutForeign) }),
  }
}

function withoutForeign(call: unknown): unknown {
  if (!isForeignCall(call)) return call
  const { extra_content: _ours, ...rest } = asJsonObject(call) ?? {}
  return rest
}

function isForeignDetail(value: unknown): boolean {
  const detail = asJsonObject(value)
  return detail !== undefined && (isForeign(detail.signature) || isForeign(detail.data))
}

function isForeignCall(value: unknown): boolean {
  return isForeign(signatureTextOf(asJsonObject(value) ?? {}))
}

function isForeign(text: unknown): boolean {
  return readSignature(asText(text), 'openai-chat').dialect !== 'openai-chat'
}
