import { readSignature, type Signature, writeSignature } from '../canonical/index.ts'
import { asText, asJsonObject, type JsonObject } from '../json/json-object.ts'

/**
 * A call's signature travels where Google's chat API has documented it. That API is the only one of this dialect to sign
 * calls, so a bare signature there is a Gemini model's, good for either of Google's APIs.
 */
export function signatureTextOf(call: JsonObject): string {
  return asText(asJsonObject(asJsonObject(call.extra_content)?.google)?.thought_signature)
}

/** From a client, who may have been served by either of Google's APIs before. */
export function clientCallSignature(call: JsonObject): Signature | undefined {
  const text = signatureTextOf(call)
  return text === '' ? undefined : readSignature(text, 'gemini-generate')
}

/** From a vendor of this dialect, to be handed back to one of this dialect. */
export function vendorCallSignature(call: JsonObject): Signature | undefined {
  const value = signatureTextOf(call)
  return value === '' ? undefined : { dialect: 'openai-chat', value }
}

export function callSignatureForClient(signature: Signature | undefined): JsonObject {
  if (!signature) return {}
  const bare = signature.dialect === 'openai-chat' || signature.dialect === 'gemini-generate'
  return extraContent(bare ? signature.value : writeSignature(signature, 'openai-chat'))
}

export function callSignatureForVendor(signature: Signature | undefined): JsonObject {
  return signature?.dialect === 'openai-chat' && signature.value !== '' ? extraContent(signature.value) : {}
}

function extraContent(signature: string): JsonObject {
  return { extra_content: { google: { thought_signature: signature } } }
}
