import type {
  AudioPart,
  DocumentPart,
  ImagePart,
  RefusalPart,
  TextPart,
  ToolResultPart,
} from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readBreakpoint } from '../../openai-wire/cache-breakpoint.ts'
import { type InlineMedia, readDataUrl } from '../../openai-wire/files.ts'

type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart | RefusalPart

/** Decodes a string or a list of parts. */
export function decodeContent(content: unknown): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return asList(content).flatMap((part) => decodePart(asJsonObject(part) ?? {}) ?? [])
}

export function decodeToolOutput(output: unknown): ToolResultPart['content'] {
  // Some clients send JSON instead of a string or parts.
  const content = asJsonObject(output) ? JSON.stringify(output) : output
  return decodeContent(content).map((part) => {
    if (part.type === 'audio' || part.type === 'refusal') throw unsupportedPart(part.type)
    return part
  })
}

function decodePart(part: JsonObject): ContentPart | undefined {
  const type = asText(part.type)
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return decodeText(part)
    case 'refusal':
      return { type: 'refusal', text: asText(part.refusal) }
    case 'input_image':
      return decodeImage(part)
    case 'input_file':
      return decodeFile(part)
    case 'input_audio':
      return decodeAudio(part)
    default:
      throw unsupportedPart(type)
  }
}

function decodeText(part: JsonObject): TextPart | undefined {
  const text = asText(part.text)
  return text === '' ? undefined : { type: 'text', text, ...readBreakpoint(part) }
}

function decodeImage(part: JsonObject): ImagePart {
  const url = asText(part.image_url)
  const id = asText(part.file_id)
  if (url === '' && id === '') throw new DialectError('invalid_request', 'an input_image needs image_url or file_id')
  const source = url === '' ? ({ kind: 'file', id } as const) : (readDataUrl(url) ?? ({ kind: 'url', url } as const))
  const detail = asText(part.detail)
  return { type: 'image', source, ...(detail !== '' && detail !== 'auto' && { detail }), ...readBreakpoint(part) }
}

function decodeFile(part: JsonObject): DocumentPart {
  const filename = asText(part.filename)
  return {
    type: 'document',
    source: fileSource(part, filename),
    ...(filename !== '' && { filename }),
    ...readBreakpoint(part),
  }
}

function fileSource(part: JsonObject, filename: string): DocumentPart['source'] {
  const data = asText(part.file_data)
  if (data !== '') return readFileData(data, filename)
  const url = asText(part.file_url)
  if (url !== '') return { kind: 'url', url }
  const id = asText(part.file_id)
  if (id !== '') return { kind: 'file', id }
  throw new DialectError('invalid_request', 'an input_file needs file_data, file_url or file_id')
}

/** File data is a data URL, or base64 whose type is known only by the file name. */
function readFileData(data: string, filename: string): InlineMedia {
  const mediaType = filename.toLowerCase().endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream'
  return readDataUrl(data) ?? { kind: 'base64', mediaType, data }
}

function decodeAudio(part: JsonObject): AudioPart {
  const audio = asJsonObject(part.input_audio) ?? {}
  const mediaType = `audio/${asText(audio.format) || 'wav'}`
  return { type: 'audio', source: { kind: 'base64', mediaType, data: asText(audio.data) } }
}

function unsupportedPart(type: string): DialectError {
  return new DialectError('cannot_express', `content of type "${type}" has no counterpart outside the Responses API`)
}
