import type { DocumentPart, ImagePart, TextPart, ToolResultPart } from '../../canonical/index.ts'
import { DialectError } from '../../dialect-error.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readMedia } from '../parts.ts'
import type { CallMatcher } from './match-calls.ts'

/** A `functionResponse` with the text and media it holds. */
export function decodeResult(result: JsonObject, calls: CallMatcher): ToolResultPart {
  const name = asText(result.name)
  const callId = calls.answer({ id: asText(result.id), name })
  const { text, isError } = readResponse(asJsonObject(result.response) ?? {})
  const media = asList(result.parts).map((part) => mediaOf(asJsonObject(part) ?? {}))
  const hasText = text !== '{}' || media.length === 0
  return {
    type: 'tool-result',
    callId,
    ...(name && { name }),
    content: [...(hasText ? [{ type: 'text', text } as const] : []), ...media],
    ...(isError && { isError }),
  }
}

/**
 * Google has one name for what a tool gave and one for what went wrong, and reads all else as a whole. Clients also
 * write `result`, as Google's own examples do.
 */
function readResponse(response: JsonObject): { text: string; isError: boolean } {
  const names = Object.keys(response)
  const [only] = names
  if (names.length !== 1 || only === undefined) return { text: JSON.stringify(response), isError: false }
  if (only !== 'result' && only !== 'output' && only !== 'error') {
    return { text: JSON.stringify(response), isError: false }
  }
  const value = response[only]
  return { text: typeof value === 'string' ? value : JSON.stringify(value), isError: only === 'error' }
}

function mediaOf(part: JsonObject): TextPart | ImagePart | DocumentPart {
  const media = readMedia(part)
  if (!media)
    throw new DialectError('invalid_request', 'the parts of a functionResponse must be inlineData or fileData')
  return media.type === 'audio' ? { type: 'document', source: media.source } : media
}
