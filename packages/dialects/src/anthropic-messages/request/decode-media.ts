import type { DocumentPart, ImagePart, MediaSource, TextPart } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readCacheMark } from './cache-control.ts'

export function decodeImage(block: JsonObject, place: string): ImagePart {
  return { type: 'image', source: decodeSource(block, place), cache: readCacheMark(block.cache_control) }
}

/** One part, unless the client put the document together from texts and images, or told something about it. */
export function decodeDocument(block: JsonObject, place: string): (TextPart | ImagePart | DocumentPart)[] {
  const about = textsOf(block.context)
  const source = asJsonObject(block.source)
  if (source?.type === 'content' && Array.isArray(source.content)) {
    const blocks = asList(source.content).map((value) => asJsonObject(value) ?? {})
    if (blocks.some(({ type }) => type === 'image')) {
      return [...textsOf(block.title), ...about, ...blocks.map((item) => decodeItem(item, place))]
    }
  }
  return [
    ...about,
    {
      type: 'document',
      source: textOf(source) ?? decodeSource(block, place),
      filename: asText(block.title) || undefined,
      cache: readCacheMark(block.cache_control),
    },
  ]
}

function textsOf(words: unknown): TextPart[] {
  const text = asText(words)
  return text === '' ? [] : [{ type: 'text', text }]
}

function decodeItem(block: JsonObject, place: string): TextPart | ImagePart {
  if (block.type === 'image') return decodeImage(block, place)
  return { type: 'text', text: asText(block.text), cache: readCacheMark(block.cache_control) }
}

function textOf(source: JsonObject | undefined): { kind: 'text'; text: string } | undefined {
  if (source?.type === 'text') return { kind: 'text', text: asText(source.data) }
  if (source?.type !== 'content') return undefined
  if (typeof source.content === 'string') return { kind: 'text', text: source.content }
  const texts = asList(source.content).map((item) => asText(asJsonObject(item)?.text))
  return { kind: 'text', text: texts.join('\n\n') }
}

function decodeSource(block: JsonObject, place: string): MediaSource {
  const source = asJsonObject(block.source)
  switch (source?.type) {
    case 'base64':
      return { kind: 'base64', mediaType: asText(source.media_type), data: asText(source.data) }
    case 'url':
      // Documents behind an address can only be PDFs here, and addresses do not always tell.
      return {
        kind: 'url',
        url: asText(source.url),
        mediaType: block.type === 'document' ? 'application/pdf' : undefined,
      }
    case 'file':
      return { kind: 'file', id: asText(source.file_id) }
    default:
      throw new DialectError('invalid_request', `${place}: ${asText(block.type)} has no source we know`)
  }
}
