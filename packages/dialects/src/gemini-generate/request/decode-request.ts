import type { CanonicalRequest, Message, RequestHead, TextPart } from '../../canonical/index.ts'
import { DialectError } from '../../dialect-error.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { exactJsonObject } from '../exact-json.ts'
import { decodeConfig } from './decode-config.ts'
import { decodeContents } from './decode-content.ts'
import { decodeTools } from './tools.ts'
import { partsOf } from './prompt-parts.ts'

export function decodeRequest({ tree, text, model, stream }: RequestHead): CanonicalRequest {
  if (tree.cachedContent ?? tree.cached_content) {
    throw new DialectError('cannot_express', 'cachedContent is kept by Google; send the content itself')
  }
  if (tree.continuationToken ?? tree.continuation_token) {
    throw new DialectError('cannot_express', 'a continuationToken means something to Google only')
  }
  // Arguments and results of tools are passed on as JSON texts, in which long numbers must not have been rounded.
  const exact = exactJsonObject(text, tree)
  return {
    model,
    stream,
    messages: [...systemMessages(tree), ...decodeContents(asList(exact.contents))],
    ...decodeTools(tree),
    ...decodeConfig(asJsonObject(tree.generationConfig ?? tree.generation_config) ?? {}),
  }
}

function systemMessages(tree: JsonObject): Message[] {
  const parts = partsOf(tree.systemInstruction ?? tree.system_instruction).map((part): TextPart => {
    const text = typeof part === 'string' ? part : asJsonObject(part)?.text
    if (typeof text !== 'string') throw new DialectError('invalid_request', 'systemInstruction may only hold text')
    return { type: 'text', text: asText(text) }
  })
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}
