import type { Citation, Part, SearchCall, Signature } from '../canonical/index.ts'
import { asJsonObject, asJsonObjects, asList, asText, type JsonObject } from '../json/json-object.ts'
import { droppedAnnotations, writeCitation } from '../openai-wire/citations.ts'
import { writeSummary, encodeCallSignature, encodeThoughtSignature } from './signatures.ts'
import { unwrapTextInput, type NamedTool } from './tool-names.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export function messageItem(id: string, content: readonly JsonObject[], status: ItemStatus): JsonObject {
  return { type: 'message', id, status, role: 'assistant', content }
}

export function textContent(text: string, annotations: readonly JsonObject[] = []): JsonObject {
  return { type: 'output_text', text, annotations, logprobs: [] }
}

export function annotationOf(citation: Citation, text: string): JsonObject {
  return { type: 'url_citation', ...writeCitation(citation, text) }
}

export function searchItem(id: string, { queries, results }: SearchCall, status: ItemStatus): JsonObject {
  const sources = results.map(({ url }) => ({ type: 'url', url }))
  const action = { type: 'search', query: queries[0] ?? '', queries, sources }
  return { type: 'web_search_call', id, status, action }
}

/** The search of an item, if it is one. */
export function readSearch(item: JsonObject): SearchCall | undefined {
  const action = asJsonObject(item.action)
  if (item.type !== 'web_search_call' || item.status === 'failed' || (action && action.type !== 'search'))
    return undefined
  const queries = asList(action?.queries).map(asText)
  return {
    queries: queries.length > 0 ? queries : [asText(action?.query)].filter((query) => query !== ''),
    results: asJsonObjects(action?.sources).map(({ url }) => ({ url: asText(url) })),
  }
}

/** Names of what other protocols cannot express in an item of a response. */
export function droppedInItem(item: JsonObject): string[] {
  switch (item.type) {
    case 'message':
      return [
        ...(item.phase === 'commentary' ? ['phase'] : []),
        ...asJsonObjects(item.content).flatMap(({ annotations, logprobs }) => [
          ...droppedAnnotations(annotations),
          ...(asList(logprobs).length > 0 ? ['logprobs'] : []),
        ]),
      ]
    case 'reasoning':
    case 'function_call':
    case 'custom_tool_call':
      return []
    case 'image_generation_call':
      return asText(item.result) === '' ? [item.type] : []
    default:
      return readSearch(item) ? [] : [asText(item.type) || 'output']
  }
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
