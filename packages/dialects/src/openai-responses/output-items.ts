import type { Part, Signature } from '../canonical/index.ts'
import { asText, type JsonObject } from '../json/json-object.ts'
import { writeSummary, encodeCallSignature, encodeThoughtSignature } from './signatures.ts'
import { unwrapTextInput, type NamedTool } from './tool-names.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export function messageItem(id: string, content: readonly JsonObject[], status: ItemStatus): JsonObject {
  return { type: 'message', id, status, role: 'assistant', content }
}

export function textContent(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function refusalContent(refusal: string): JsonObject {
  return { type: 'refusal', refusal }
}

export function reasoningItem(
  id: string,
  text: string,
  { signature, redacted }: { signature?: Signature; redacted?: boolean },
): JsonObject {
  const encrypted = encodeThoughtSignature(signature, { itemId: id, redacted })
  return {
    type: 'reasoning',
    id,
    summary: writeSummary(text),
    ...(encrypted !== undefined && { encrypted_content: encrypted }),
  }
}

/** Carries the signature of a call: an empty reasoning item before the call. */
export function callSignatureItem(id: string, callId: string, signature: Signature): JsonObject {
  return { type: 'reasoning', id, summary: [], encrypted_content: encodeCallSignature(callId, signature) }
}

export interface CallIdentity {
  readonly id: string
  readonly name: string
}

export function callItem(
  id: string,
  { call, tool, text, status }: { call: CallIdentity; tool: NamedTool | undefined; text: string; status: ItemStatus },
): JsonObject {
  const takesText = tool?.takesText === true
  return {
    type: takesText ? 'custom_tool_call' : 'function_call',
    id,
    status,
    call_id: call.id,
    name: tool?.name ?? call.name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
    ...(takesText ? { input: text === '' ? '' : unwrapTextInput(text) } : { arguments: text }),
  }
}

/** Generated image. Without a result it is a native part of a hosted tool. */
export function decodeImageItem(item: JsonObject): Part {
  const data = asText(item.result)
  if (data === '') return { type: 'native', dialect: 'openai-responses', value: item }
  return { type: 'image', source: { kind: 'base64', mediaType: readImageType(item), data } }
}

export function readImageType(item: JsonObject): string {
  return `image/${asText(item.output_format) || 'png'}`
}

export function imageItem(id: string, image: { readonly mediaType: string; readonly data: string }): JsonObject {
  return {
    type: 'image_generation_call',
    id,
    status: 'completed',
    output_format: image.mediaType.slice(image.mediaType.indexOf('/') + 1),
    result: image.data,
  }
}
