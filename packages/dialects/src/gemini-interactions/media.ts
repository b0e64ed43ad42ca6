import { DialectError } from '../canonical/errors.ts'
import type { AudioPart, DocumentPart, ImagePart, MediaSource } from '../canonical/index.ts'
import {
  decodeBase64Text,
  DEFAULT_MEDIA_TYPES,
  documentText,
  GOOGLE_FILE_URI,
  guessMediaType,
  mediaKind,
} from '../google-wire/media.ts'
import { asText, type JsonObject } from '../json/json-object.ts'

type MediaPart = ImagePart | AudioPart | DocumentPart

const RESOLUTIONS: Readonly<Record<string, string>> = { low: 'low', high: 'high' }

/** Reads a content of type image, audio, document or video. A video becomes a document. */
export function readMedia(content: JsonObject): MediaPart {
  const type = asText(content.type)
  const mediaType = asText(content.mime_type)
  const kind = type === 'video' ? 'document' : mediaType === '' ? kindOf(type) : mediaKind(mediaType)
  const source = readSource(content, mediaType || DEFAULT_MEDIA_TYPES[kind], type)
  if (source.kind === 'text') return { type: 'document', source }
  const detail = kind === 'image' ? RESOLUTIONS[asText(content.resolution)] : undefined
  return { type: kind, source, ...(detail !== undefined && { detail }) }
}

function kindOf(type: string): 'image' | 'audio' | 'document' {
  return type === 'image' || type === 'audio' ? type : 'document'
}

function readSource(content: JsonObject, mediaType: string, type: string): DocumentPart['source'] {
  const data = asText(content.data)
  if (data !== '') {
    if (mediaType.startsWith('text/')) return { kind: 'text', text: decodeBase64Text(data, 'data') }
    return { kind: 'base64', mediaType, data }
  }
  const uri = asText(content.uri)
  if (uri === '') throw new DialectError('invalid_request', `a content of type ${type} needs data or uri`)
  if (GOOGLE_FILE_URI.test(uri)) return { kind: 'file', id: uri }
  const ofUrl = asText(content.mime_type)
  return { kind: 'url', url: uri, ...(ofUrl !== '' && { mediaType: ofUrl }) }
}

/** The contents of a part: Google has no field for the title of a file, so a text has it. */
export function writeMedia(part: MediaPart): JsonObject[] {
  const { source } = part
  const filename = part.type === 'document' ? part.filename : undefined
  if (source.kind === 'text') return [{ type: 'text', text: documentText(source.text, filename) }]
  const title = filename === undefined ? [] : [{ type: 'text', text: filename }]
  const resolution = part.type === 'image' ? RESOLUTIONS[part.detail ?? ''] : undefined
  return [...title, { ...writeSource(part.type, source), ...(resolution !== undefined && { resolution }) }]
}

function writeSource(kind: MediaPart['type'], source: MediaSource): JsonObject {
  switch (source.kind) {
    case 'base64':
      return written(kind, source.mediaType || DEFAULT_MEDIA_TYPES[kind], { data: source.data })
    case 'file':
      if (GOOGLE_FILE_URI.test(source.id)) return { type: kind, uri: source.id }
      throw new DialectError('cannot_express', `the file ${source.id} is stored by another provider`)
    case 'url': {
      const inline = /^data:([^;,]*)[^,]*;base64,/.exec(source.url.slice(0, 200))
      if (inline) {
        return written(kind, inline[1] || DEFAULT_MEDIA_TYPES[kind], { data: source.url.slice(inline[0].length) })
      }
      const mediaType = source.mediaType ?? (guessMediaType(source.url) || DEFAULT_MEDIA_TYPES[kind])
      return written(kind, mediaType, { uri: source.url })
    }
  }
}

function written(kind: MediaPart['type'], mediaType: string, content: JsonObject): JsonObject {
  return { type: mediaType.startsWith('video/') ? 'video' : kind, mime_type: mediaType, ...content }
}
