import type { CacheBreakpoint, DocumentPart, MediaSource, Part } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { writeBreakpoint } from '../../openai-wire/cache-breakpoint.ts'
import { requireOpenAIFile, writeDataUrl } from '../../openai-wire/files.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** Native parts of other protocols and empty texts are not encoded. */
export function isEncodable(part: Part): boolean {
  return part.type !== 'native' && !(part.type === 'text' && part.text === '')
}

/** Returns a string if there is only text, which every provider accepts, else a list of parts. */
export function encodeContent(
  parts: readonly Part[],
  before: readonly JsonObject[] = [],
): string | readonly JsonObject[] {
  const isText = before.length === 0 && parts.every((part) => textOf(part) !== undefined && !breakpointOf(part))
  return isText ? joinTexts(parts) : [...before, ...parts.flatMap((part) => encodePart(part))]
}

export function joinTexts(parts: readonly Part[]): string {
  const texts = parts.map(textOf).filter((text) => text !== undefined)
  return texts.join('\n\n')
}

function encodePart(part: Part): JsonObject[] {
  const text = textOf(part)
  return text === undefined ? mediaPart(part) : [{ type: 'text', text, ...writeBreakpoint(breakpointOf(part)) }]
}

function textOf(part: Part): string | undefined {
  if (part.type === 'text' || part.type === 'refusal') return part.text
  if (part.type !== 'document' || part.source.kind !== 'text') return undefined
  return part.filename === undefined ? part.source.text : `${part.filename}:\n${part.source.text}`
}

function breakpointOf(part: Part): CacheBreakpoint | undefined {
  return 'cache' in part ? part.cache : undefined
}

/** Encodes a part other than text for a user message. Empty for text. */
export function mediaPart(part: Part): JsonObject[] {
  switch (part.type) {
    case 'image': {
      const image = { url: imageUrl(part.source), ...(part.detail !== undefined && { detail: part.detail }) }
      return [{ type: 'image_url', image_url: image, ...writeBreakpoint(part.cache) }]
    }
    case 'audio':
      return [{ type: 'input_audio', input_audio: encodeAudio(part.source) }]
    case 'document':
      return part.source.kind === 'text'
        ? []
        : [{ type: 'file', file: encodeFile(part, part.source), ...writeBreakpoint(part.cache) }]
    case 'text':
    case 'refusal':
      return []
    default:
      throw new DialectError('cannot_express', `${part.type} outside the message it belongs to`)
  }
}

function imageUrl(source: MediaSource): string {
  if (source.kind === 'base64') return writeDataUrl(source)
  if (source.kind === 'url') return source.url
  throw new DialectError('cannot_express', 'an image file that another provider stores')
}

function encodeAudio(source: MediaSource): JsonObject {
  if (source.kind !== 'base64') throw new DialectError('cannot_express', 'audio that is not inside the request')
  const type = source.mediaType.replace(/^audio\/(x-)?/, '')
  return { data: source.data, format: FORMATS[type] ?? type }
}

const FORMATS: Readonly<Record<string, string>> = { mpeg: 'mp3', wave: 'wav' }

function encodeFile({ filename }: DocumentPart, source: MediaSource): JsonObject {
  if (source.kind === 'file') return { file_id: requireOpenAIFile(source.id, 'a document') }
  if (source.kind === 'url') throw new DialectError('cannot_express', 'a document that is not inside the request')
  // Providers also detect the file type by its name.
  return { filename: filename ?? `document.${source.mediaType.split('/').at(-1)}`, file_data: writeDataUrl(source) }
}
