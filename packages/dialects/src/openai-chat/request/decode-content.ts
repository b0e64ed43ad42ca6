import { DialectError } from '../../canonical/errors.ts'
import type { AudioPart, CacheBreakpoint, DocumentPart, ImagePart, Part } from '../../canonical/index.ts'
import { asJsonObject, asText, type JsonObject } from '../../json/json-object.ts'
import { readDataUrl } from '../../openai-wire/files.ts'
import { readBreakpoint } from '../../openai-wire/cache-breakpoint.ts'
import { readImage } from '../images.ts'

/** Decodes a string or a list of parts. Empty texts are dropped. */
export function decodeContent(content: unknown): Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw new DialectError('invalid_request', 'content must be a text or a list of parts')
  return (content as unknown[]).flatMap((value) => decodePart(value))
}

function decodePart(value: unknown): Part[] {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }]
  const part = asJsonObject(value)
  if (!part) throw new DialectError('invalid_request', 'a part of a content must be an object')
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: asText(part.text), ...readCacheControl(part) }]
    case 'refusal':
      return [{ type: 'refusal', text: asText(part.refusal) }]
    case 'image_url':
      return [decodeImage(part)]
    case 'input_audio':
      return [decodeAudio(part)]
    case 'file':
      return [decodeFile(part)]
    default:
      throw new DialectError('cannot_express', `a content part of type ${asText(part.type) || '(none)'}`)
  }
}

function decodeImage(part: JsonObject): ImagePart {
  const source = readImage(part)
  if (!source) throw new DialectError('invalid_request', 'image_url.url is missing')
  const detail = asText(asJsonObject(part.image_url)?.detail)
  return { type: 'image', source, ...(detail !== '' && { detail }), ...readCacheControl(part) }
}

function decodeAudio(part: JsonObject): AudioPart {
  const audio = asJsonObject(part.input_audio)
  const data = asText(audio?.data)
  if (data === '') throw new DialectError('invalid_request', 'input_audio.data is missing')
  // Some clients send a data URL, which names its own type.
  const source = readDataUrl(data) ?? {
    kind: 'base64' as const,
    mediaType: `audio/${asText(audio?.format) || 'wav'}`,
    data,
  }
  return { type: 'audio', source }
}

function decodeFile(part: JsonObject): DocumentPart {
  const file = asJsonObject(part.file) ?? {}
  const filename = asText(file.filename)
  const common = { type: 'document' as const, ...(filename !== '' && { filename }), ...readCacheControl(part) }
  const data = asText(file.file_data)
  if (data !== '') {
    const source = readDataUrl(data) ?? { kind: 'base64' as const, mediaType: 'application/pdf', data }
    return { ...common, source }
  }
  const id = asText(file.file_id)
  if (id === '') throw new DialectError('invalid_request', 'a file part needs file_data or file_id')
  return { ...common, source: { kind: 'file', id } }
}

/**
 * Reads OpenAI's breakpoints and `cache_control`, which clients of routers send. Used for providers with breakpoints.
 * Providers of this protocol get none, because most reject unknown fields.
 */
export function readCacheControl(object: JsonObject): { readonly cache?: CacheBreakpoint } {
  const control = asJsonObject(object.cache_control)
  if (control) return { cache: control.ttl === undefined ? {} : { ttl: asText(control.ttl) } }
  return readBreakpoint(object)
}

/** A breakpoint on a message applies to its last part that can carry one. */
export function markLastPart(parts: Part[], message: JsonObject): void {
  const { cache } = readCacheControl(message)
  if (!cache) return
  const index = parts.findLastIndex(({ type }) => type !== 'thinking' && type !== 'refusal' && type !== 'audio')
  if (index !== -1) parts[index] = { ...parts[index]!, cache } as Part
}
