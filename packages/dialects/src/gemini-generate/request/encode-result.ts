import type { ToolResultPart } from '../../canonical/index.ts'
import { DialectError } from '../../dialect-error.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { parseExactJsonObject } from '../exact-json.ts'
import { type MediaPart, writeMedia } from '../parts.ts'
import { generationOf } from '../model-names.ts'

interface ResultContext {
  readonly names: ReadonlyMap<string, string>
  readonly model: string
}

/** The answer to a call, and beside it the media that older models do not take inside one. */
export function encodeResult(part: ToolResultPart, { names, model }: ResultContext): JsonObject[] {
  const name = part.name ?? names.get(part.callId)
  if (!name) throw new DialectError('invalid_request', `the tool result ${part.callId} answers no tool call`)
  const texts: string[] = []
  const inside: JsonObject[] = []
  const beside: JsonObject[] = []
  const takesMedia = (generationOf(model) ?? 3) >= 3
  for (const item of part.content) {
    if (item.type === 'text') texts.push(item.text)
    else if (item.source.kind === 'text') texts.push(item.source.text)
    else {
      const written = writeMedia(item satisfies MediaPart)
      // Files by address are known beside a result only.
      if (takesMedia && written.inlineData !== undefined) inside.push(written)
      else beside.push(written)
    }
  }
  const response = responseOf(texts.join('\n'), part.isError === true)
  return [
    { functionResponse: { id: part.callId, name, response, ...(inside.length > 0 && { parts: inside }) } },
    ...beside,
  ]
}

/** Google wants an object: that of the tool, or one of ours around its words. */
function responseOf(text: string, isError: boolean): JsonObject {
  if (isError) return { error: text }
  return parseExactJsonObject(text) ?? { result: text }
}
