import { DialectError } from '../../canonical/errors.ts'
import type { DocumentPart, ImagePart, MediaSource, Part, ThinkingPart, ToolResultPart } from '../../canonical/index.ts'
import { DIALECT_ID } from '../ids.ts'
import { type Block, writeCacheControl } from './cache-control.ts'

/** Tool calls and results are arranged by turn in arrange-turns.ts. */
type PlainPart = Exclude<Part, { readonly type: 'tool-call' | 'tool-result' }>

/** Encodes a part. Returns nothing for empty content that the provider would reject. */
export function encodePart(part: PlainPart, role: 'user' | 'assistant'): Block[] {
  switch (part.type) {
    case 'text':
      // The provider rejects blank text.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...writeCacheControl(part.cache) }]
    case 'refusal':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
    case 'document':
      if (role === 'assistant') throw new DialectError('cannot_express', `${part.type} in an assistant message`)
      return [part.type === 'image' ? encodeImage(part) : encodeDocument(part)]
    case 'audio':
      throw new DialectError('cannot_express', 'audio')
    case 'thinking':
      return encodeThinking(part)
    case 'native':
      return part.dialect === DIALECT_ID ? [{ ...part.value }] : []
  }
}

/** The provider rejects thinking that it did not sign. */
function encodeThinking({ text, signature, redacted }: ThinkingPart): Block[] {
  if (signature?.dialect !== DIALECT_ID) return []
  if (redacted) return [{ type: 'redacted_thinking', data: signature.value }]
  return [{ type: 'thinking', thinking: text, signature: signature.value }]
}

export function encodeToolResult(part: ToolResultPart, callId: string): Block {
  const content = part.content.flatMap((item) => encodePart(item, 'user'))
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(content.length > 0 && { content }),
    ...(part.isError && { is_error: true }),
    ...writeCacheControl(part.cache),
  }
}

/** The provider rejects a result without a call, so it becomes user text. */
export function encodeUnmatchedResult(part: ToolResultPart): Block[] {
  const content = part.content.flatMap((item) => encodePart(item, 'user'))
  return [{ type: 'text', text: `Result of the tool call ${part.name ?? part.callId}:` }, ...content]
}

function encodeImage({ source, cache }: ImagePart): Block {
  return { type: 'image', source: encodeSource(inlineDataUrl(source), 'an image'), ...writeCacheControl(cache) }
}

function encodeDocument({ source, filename, cache }: DocumentPart): Block {
  return {
    type: 'document',
    source: source.kind === 'text' ? plainText(source.text) : encodeDocumentSource(inlineDataUrl(source)),
    ...(filename && { title: filename }),
    ...writeCacheControl(cache),
  }
}

function encodeDocumentSource(source: MediaSource): Block {
  if (source.kind !== 'base64' || source.mediaType === 'application/pdf') return encodeSource(source, 'a document')
  if (/^text\/|^application\/json\b/.test(source.mediaType)) return plainText(textFromBase64(source.data))
  throw new DialectError(
    'cannot_express',
    `a document of type ${source.mediaType || 'unknown'}: only PDF and text are read`,
  )
}

function plainText(data: string): Block {
  return { type: 'text', media_type: 'text/plain', data }
}

function encodeSource(source: MediaSource, what: string): Block {
  switch (source.kind) {
    case 'base64':
      // Clients often write image/jpg, which the provider rejects.
      return {
        type: 'base64',
        media_type: source.mediaType === 'image/jpg' ? 'image/jpeg' : source.mediaType,
        data: source.data,
      }
    case 'url':
      return { type: 'url', url: source.url }
    case 'file':
      // Only Anthropic's file ids start with `file_`.
      if (source.id.startsWith('file_')) return { type: 'file', file_id: source.id }
      throw new DialectError('cannot_express', `${what} that another provider stores (${source.id})`)
  }
}

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,/

/** The provider does not fetch data URLs, so their content is sent inline. */
function inlineDataUrl(source: MediaSource): MediaSource {
  const head = source.kind === 'url' ? DATA_URL.exec(source.url.slice(0, 200)) : undefined
  if (source.kind !== 'url' || !head) return source
  return { kind: 'base64', mediaType: head[1] || (source.mediaType ?? ''), data: source.url.slice(head[0].length) }
}

/** Available in every runtime, but missing in the type declarations. */
declare function atob(data: string): string
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string }

function textFromBase64(data: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)))
}
