import type { AudioPart, DocumentPart, ImagePart, MediaSource } from '../canonical/index.ts'
import { DialectError } from '../canonical/errors.ts'
import { asJsonObject, asText, type JsonObject } from '../json/json-object.ts'

export type MediaPart = ImagePart | AudioPart | DocumentPart

const { atob } = globalThis as unknown as { atob(text: string): string }

/** File URIs that only Google can read, with the credentials of the uploader. */
const GOOGLE_FILE_URI = /^(gs:\/\/|https:\/\/generativelanguage\.googleapis\.com\/)/

/** Reads `inlineData` or `fileData` of a part. `undefined` if it has neither. */
export function readMedia(part: JsonObject): MediaPart | undefined {
  const inline = asJsonObject(part.inlineData ?? part.inline_data)
  if (inline) {
    const mediaType = asText(inline.mimeType ?? inline.mime_type)
    const data = asText(inline.data)
    if (mediaType.startsWith('text/'))
      return { type: 'document', source: { kind: 'text', text: decodeBase64Text(data) } }
    return mediaPart({ kind: 'base64', mediaType, data }, inline)
  }
  const file = asJsonObject(part.fileData ?? part.file_data)
  if (!file) return undefined
  const mediaType = asText(file.mimeType ?? file.mime_type)
  const url = asText(file.fileUri ?? file.file_uri)
  if (GOOGLE_FILE_URI.test(url)) return mediaPart({ kind: 'file', id: url }, file, mediaType)
  return mediaPart({ kind: 'url', url, ...(mediaType && { mediaType }) }, file)
}

/** Kind of a part by media type. Other types become documents, which other protocols accept or reject. */
export function mediaKind(mediaType: string): 'image' | 'audio' | 'document' {
  if (mediaType.startsWith('image/')) return 'image'
  return mediaType.startsWith('audio/') ? 'audio' : 'document'
}

function mediaPart(source: MediaSource, { displayName, display_name }: JsonObject, fileType = ''): MediaPart {
  const filename = asText(displayName ?? display_name)
  const declaredType = 'mediaType' in source ? source.mediaType : fileType
  const type = mediaKind(declaredType || (source.kind === 'url' ? guessMediaType(source.url) : ''))
  return type === 'document' ? { type, source, ...(filename && { filename }) } : { type, source }
}

export function writeMedia({ type, source }: MediaPart): JsonObject {
  switch (source.kind) {
    case 'text':
      return { text: source.text }
    case 'base64':
      return { inlineData: { mimeType: source.mediaType || DEFAULT_MEDIA_TYPES[type], data: source.data } }
    case 'file':
      if (GOOGLE_FILE_URI.test(source.id)) return { fileData: { fileUri: source.id } }
      throw new DialectError('cannot_express', `the file ${source.id} is stored by another provider`)
    case 'url': {
      const inline = /^data:([^;,]*)[^,]*;base64,/.exec(source.url.slice(0, 200))
      if (inline) {
        return {
          inlineData: { mimeType: inline[1] || DEFAULT_MEDIA_TYPES[type], data: source.url.slice(inline[0].length) },
        }
      }
      const mimeType = source.mediaType ?? (guessMediaType(source.url) || DEFAULT_MEDIA_TYPES[type])
      return { fileData: { mimeType, fileUri: source.url } }
    }
  }
}

const DEFAULT_MEDIA_TYPES = { image: 'image/jpeg', audio: 'audio/wav', document: 'application/pdf' } as const

/** Guesses the media type from the extension of a URL. Empty if unknown. */
function guessMediaType(url: string): string {
  const extension = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? ''
  return MEDIA_TYPES_BY_EXTENSION[extension] ?? ''
}

const MEDIA_TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  wav: 'audio/wav',
  mp3: 'audio/mp3',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/m4a',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

/** Decodes UTF-8 text from base64. */
function decodeBase64Text(data: string): string {
  try {
    const bytes = atob(data.replaceAll('-', '+').replaceAll('_', '/'))
    let escaped = ''
    for (let at = 0; at < bytes.length; at += 1) escaped += `%${bytes.charCodeAt(at).toString(16).padStart(2, '0')}`
    return decodeURIComponent(escaped)
  } catch {
    throw new DialectError('invalid_request', 'inlineData of a text must be UTF-8 in base64')
  }
}

/** Code that the model ran, or its output, as a markdown code block. `undefined` if the part has neither. */
export function readCode(part: JsonObject): string | undefined {
  const code = asJsonObject(part.executableCode ?? part.executable_code)
  if (code) return formatCodeBlock(asText(code.language).toLowerCase() || 'python', asText(code.code))
  const result = asJsonObject(part.codeExecutionResult ?? part.code_execution_result)
  return result && formatCodeBlock('output', asText(result.output))
}

function formatCodeBlock(language: string, code: string): string {
  const fence = code.includes('```') ? '~~~~' : '```'
  return `\n${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}\n`
}
