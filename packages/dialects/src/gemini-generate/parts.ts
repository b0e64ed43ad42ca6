import type { AudioPart, DocumentPart, ImagePart } from '../canonical/index.ts'
import { DialectError } from '../canonical/errors.ts'
import {
  decodeBase64Text,
  DEFAULT_MEDIA_TYPES,
  documentText,
  GOOGLE_FILE_URI,
  guessMediaType,
  mediaKind,
} from '../google-wire/media.ts'
import { asJsonObject, asText, type JsonObject } from '../json/json-object.ts'

export type MediaPart = ImagePart | AudioPart | DocumentPart

/** Reads `inlineData` or `fileData` of a part. `undefined` if it has neither. */
export function readMedia(part: JsonObject): MediaPart | undefined {
  const inline = asJsonObject(part.inlineData ?? part.inline_data)
  if (inline) {
    const mediaType = asText(inline.mimeType ?? inline.mime_type)
    const data = asText(inline.data)
    if (mediaType.startsWith('text/'))
      return mediaPart({ kind: 'text', text: decodeBase64Text(data, 'inlineData') }, inline)
    return mediaPart({ kind: 'base64', mediaType, data }, inline)
  }
  const file = asJsonObject(part.fileData ?? part.file_data)
  if (!file) return undefined
  const mediaType = asText(file.mimeType ?? file.mime_type)
  const url = asText(file.fileUri ?? file.file_uri)
  if (GOOGLE_FILE_URI.test(url)) return mediaPart({ kind: 'file', id: url }, file, mediaType)
  return mediaPart({ kind: 'url', url, ...(mediaType && { mediaType }) }, file)
}

function mediaPart(
  source: DocumentPart['source'],
  { displayName, display_name }: JsonObject,
  fileType = '',
): MediaPart {
  const filename = asText(displayName ?? display_name)
  if (source.kind === 'text') return { type: 'document', source, ...(filename && { filename }) }
  const declaredType = 'mediaType' in source ? source.mediaType : fileType
  const type = mediaKind(declaredType || (source.kind === 'url' ? guessMediaType(source.url) : ''))
  return type === 'document' ? { type, source, ...(filename && { filename }) } : { type, source }
}

export function writeMedia({ type, source, ...rest }: MediaPart): JsonObject {
  switch (source.kind) {
    case 'text':
      return { text: documentText(source.text, 'filename' in rest ? rest.filename : undefined) }
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
