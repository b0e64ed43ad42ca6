import type { DocumentPart, ImagePart, Part } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { writeBreakpoint } from '../../openai-wire/cache-breakpoint.ts'
import { requireOpenAIFile, writeDataUrl } from '../../openai-wire/files.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** Encodes content of users and tools. */
export function encodeInput(part: Part): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text, ...writeBreakpoint(part.cache) }
    case 'image':
      return encodeImage(part)
    case 'document':
      return encodeDocument(part)
    default:
      throw unsupportedPart(part, 'in the input of a model')
  }
}

/** Encodes earlier output of the model. */
export function encodeOutput(part: Part): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'output_text', text: part.text }
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    default:
      throw unsupportedPart(part, 'in the output of a model')
  }
}

function unsupportedPart({ type }: Part, where: string): DialectError {
  return new DialectError('cannot_express', `the Responses API has no place for ${type} content ${where}`)
}

function encodeImage({ source, detail, cache }: ImagePart): JsonObject {
  const base = { type: 'input_image', detail: detail ?? 'auto', ...writeBreakpoint(cache) }
  switch (source.kind) {
    case 'base64':
      return { ...base, image_url: writeDataUrl(source) }
    case 'url':
      return { ...base, image_url: source.url }
    case 'file':
      return { ...base, file_id: requireOpenAIFile(source.id, 'an image') }
  }
}

function encodeDocument({ source, filename, cache }: DocumentPart): JsonObject {
  const breakpoint = writeBreakpoint(cache)
  switch (source.kind) {
    case 'text':
      return {
        type: 'input_text',
        text: filename === undefined ? source.text : `${filename}\n\n${source.text}`,
        ...breakpoint,
      }
    case 'base64':
      // OpenAI rejects file data without a file name.
      return {
        type: 'input_file',
        filename: filename ?? nameFor(source.mediaType),
        file_data: writeDataUrl(source),
        ...breakpoint,
      }
    case 'url':
      return { type: 'input_file', file_url: source.url, ...breakpoint }
    case 'file':
      return { type: 'input_file', file_id: requireOpenAIFile(source.id, 'a document'), ...breakpoint }
  }
}

function nameFor(mediaType: string): string {
  return mediaType === 'text/plain' ? 'document.txt' : `document.${mediaType.slice(mediaType.indexOf('/') + 1)}`
}
