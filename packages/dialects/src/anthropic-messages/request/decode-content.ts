import { DialectError } from '../../canonical/errors.ts'
import {
  type DocumentPart,
  type ImagePart,
  type MediaSource,
  type Part,
  readSignature,
  type Signature,
  type TextPart,
  type ThinkingPart,
  type ToolResultPart,
} from '../../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { readCallSignature } from '../signatures.ts'
import { toolArguments, type ToolInputs } from '../tool-input.ts'
import { readCacheControl } from './cache-control.ts'

export interface BlockContext {
  readonly inputs: ToolInputs
  /** Tool names by call id. Results carry only the id. */
  readonly names: Map<string, string>
}

/** Decodes the content of a message or of the system prompt. */
export function decodeContent(
  content: unknown,
  context: BlockContext,
  { path = 'system', isUserContent = false } = {},
): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw new DialectError('invalid_request', `${path} must be a string or a list of blocks`)
  const parts: Part[] = []
  let callSignature: Signature | undefined
  for (const value of content as unknown[]) {
    const block = asJsonObject(value)
    if (!block) throw new DialectError('invalid_request', `${path} must hold objects`)
    const signature = readCallSignature(block)
    if (!signature) parts.push(...decodeBlock(block, { ...context, path, isUserContent }, callSignature))
    callSignature = signature
  }
  return parts
}

interface BlockPosition extends BlockContext {
  readonly path: string
  readonly isUserContent: boolean
}

function decodeBlock(block: JsonObject, context: BlockPosition, signature: Signature | undefined): Part[] {
  const { path, isUserContent } = context
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: asText(block.text), cache: readCacheControl(block.cache_control) }]
    case 'image':
      return [decodeImage(block, path)]
    case 'document':
      return decodeDocument(block, path)
    case 'thinking':
    case 'redacted_thinking':
      return [decodeThinking(block)]
    case 'tool_use': {
      const [id, name] = [asText(block.id), asText(block.name)]
      context.names.set(id, name)
      const cache = readCacheControl(block.cache_control)
      return [{ type: 'tool-call', id, name, arguments: toolArguments(block, context.inputs), signature, cache }]
    }
    case 'tool_result':
      return [decodeToolResult(block, context.names, path)]
    case 'search_result':
      return [decodeSearchResult(block)]
    case 'compaction':
      // The summary replaces the turns before it.
      return textsOf(block.content)
    default:
      // A file in a container, for example. It must not get lost. The model knows what it did with hosted tools.
      if (isUserContent && !HOSTED_RESULT.test(asText(block.type))) {
        throw new DialectError('cannot_express', `a block of type ${asText(block.type) || '(none)'}`)
      }
      return [{ type: 'native', dialect: DIALECT_ID, value: block }]
  }
}

/** Results of tools that ran at the provider. */
const HOSTED_RESULT = /_tool_result$/

function decodeSearchResult({ title, source, content, citations, cache_control }: JsonObject): TextPart {
  rejectCitations(citations)
  const texts = asList(content).map((text) => asText(asJsonObject(text)?.text))
  return {
    type: 'text',
    text: [asText(title), asText(source), ...texts].join('\n'),
    cache: readCacheControl(cache_control),
  }
}

/** The client expects a response in cited blocks, which other providers do not write. */
function rejectCitations(citations: unknown): void {
  if (asJsonObject(citations)?.enabled === true) throw new DialectError('cannot_express', 'citations of documents')
}

/** A client may send back a signature of another provider. */
function decodeThinking(block: JsonObject): ThinkingPart {
  if (block.type === 'redacted_thinking') {
    return { type: 'thinking', text: '', signature: readSignature(asText(block.data), DIALECT_ID), redacted: true }
  }
  return {
    type: 'thinking',
    text: asText(block.thinking),
    signature: readSignature(asText(block.signature), DIALECT_ID),
  }
}

function decodeImage(block: JsonObject, path: string): ImagePart {
  return { type: 'image', source: decodeSource(block, path), cache: readCacheControl(block.cache_control) }
}

/** Returns one part, or several if the document consists of texts and images or has a context. */
function decodeDocument(block: JsonObject, path: string): (TextPart | ImagePart | DocumentPart)[] {
  rejectCitations(block.citations)
  const context = textsOf(block.context)
  const source = asJsonObject(block.source)
  if (source?.type === 'content' && Array.isArray(source.content)) {
    const blocks = asList(source.content).map((value) => asJsonObject(value) ?? {})
    if (blocks.some(({ type }) => type === 'image')) {
      return [...textsOf(block.title), ...context, ...blocks.map((item) => decodeDocumentItem(item, path))]
    }
  }
  return [
    ...context,
    {
      type: 'document',
      source: textOf(source) ?? decodeSource(block, path),
      filename: asText(block.title) || undefined,
      cache: readCacheControl(block.cache_control),
    },
  ]
}

function textsOf(value: unknown): TextPart[] {
  const text = asText(value)
  return text === '' ? [] : [{ type: 'text', text }]
}

function decodeDocumentItem(block: JsonObject, path: string): TextPart | ImagePart {
  if (block.type === 'image') return decodeImage(block, path)
  return { type: 'text', text: asText(block.text), cache: readCacheControl(block.cache_control) }
}

function textOf(source: JsonObject | undefined): { kind: 'text'; text: string } | undefined {
  if (source?.type === 'text') return { kind: 'text', text: asText(source.data) }
  if (source?.type !== 'content') return undefined
  if (typeof source.content === 'string') return { kind: 'text', text: source.content }
  const texts = asList(source.content).map((item) => asText(asJsonObject(item)?.text))
  return { kind: 'text', text: texts.join('\n\n') }
}

function decodeSource(block: JsonObject, path: string): MediaSource {
  const source = asJsonObject(block.source)
  switch (source?.type) {
    case 'base64':
      return { kind: 'base64', mediaType: asText(source.media_type), data: asText(source.data) }
    case 'url':
      // Documents by URL are always PDFs here, and the URL may not show it.
      return {
        kind: 'url',
        url: asText(source.url),
        mediaType: block.type === 'document' ? 'application/pdf' : undefined,
      }
    case 'file':
      return { kind: 'file', id: asText(source.file_id) }
    default:
      throw new DialectError('invalid_request', `${path}: ${asText(block.type)} has an unknown source`)
  }
}

type ResultItem = TextPart | ImagePart | DocumentPart

function decodeToolResult(block: JsonObject, names: ReadonlyMap<string, string>, path: string): ToolResultPart {
  const callId = asText(block.tool_use_id)
  const { content } = block
  return {
    type: 'tool-result',
    callId,
    name: names.get(callId),
    content:
      typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : asList(content).flatMap((item) => decodeResultItem(asJsonObject(item) ?? {}, path)),
    isError: block.is_error === true ? true : undefined,
    cache: readCacheControl(block.cache_control),
  }
}

function decodeResultItem(item: JsonObject, path: string): ResultItem[] {
  const cache = readCacheControl(item.cache_control)
  switch (item.type) {
    case 'text':
      return [{ type: 'text', text: asText(item.text), cache }]
    case 'image':
      return [decodeImage(item, path)]
    case 'document':
      return decodeDocument(item, path)
    case 'search_result':
      return [decodeSearchResult(item)]
    default:
      // Other protocols have no form for this block, so the model gets it as JSON.
      return [{ type: 'text', text: JSON.stringify(item), cache }]
  }
}
