import { type Part, readSignature, type Signature, type ThinkingPart } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readCacheMark } from './cache-control.ts'
import { callSignatureIn } from '../signatures.ts'
import { decodeDocument, decodeImage } from './decode-media.ts'
import { decodeToolResult } from './decode-tool-result.ts'
import { OWN } from '../ids.ts'
import type { InputTexts } from '../tool-input.ts'

export interface BlockContext {
  readonly inputs: InputTexts
  /** The tools called so far, by the id of the call: results tell only the id. */
  readonly names: Map<string, string>
}

/** What a client wrote into a message, or into its system prompt. */
export function decodeContent(content: unknown, context: BlockContext, place = 'system'): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content))
    throw new DialectError('invalid_request', `${place} must be a string or a list of blocks`)
  const parts: Part[] = []
  let callSignature: Signature | undefined
  for (const value of content as unknown[]) {
    const block = asJsonObject(value)
    if (!block) throw new DialectError('invalid_request', `${place} must hold objects`)
    const signature = callSignatureIn(block)
    if (!signature) parts.push(...decodeBlock(block, context, place, callSignature))
    callSignature = signature
  }
  return parts
}

function decodeBlock(
  block: JsonObject,
  context: BlockContext,
  place: string,
  signature: Signature | undefined,
): Part[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: asText(block.text), cache: readCacheMark(block.cache_control) }]
    case 'image':
      return [decodeImage(block, place)]
    case 'document':
      return decodeDocument(block, place)
    case 'thinking':
    case 'redacted_thinking':
      return [decodeThinking(block)]
    case 'tool_use': {
      const [id, name] = [asText(block.id), asText(block.name)]
      context.names.set(id, name)
      const cache = readCacheMark(block.cache_control)
      return [{ type: 'tool-call', id, name, arguments: argumentsOf(block, context.inputs), signature, cache }]
    }
    case 'tool_result':
      return [decodeToolResult(block, context.names, place)]
    default:
      // Hosted tools at work, what they found, and blocks still to be invented.
      return [{ type: 'native', dialect: OWN, value: block }]
  }
}

/** From a client: a signature may be another vendor's, kept for us. */
function decodeThinking(block: JsonObject): ThinkingPart {
  if (block.type === 'redacted_thinking') {
    return { type: 'thinking', text: '', signature: readSignature(asText(block.data), OWN), redacted: true }
  }
  return { type: 'thinking', text: asText(block.thinking), signature: readSignature(asText(block.signature), OWN) }
}

export function argumentsOf(block: JsonObject, inputs: InputTexts): string {
  if (block.input === undefined || block.input === null) return '{}'
  return inputs.get(block) ?? JSON.stringify(block.input)
}
