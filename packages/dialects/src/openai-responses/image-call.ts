import type { Part } from '../canonical/index.ts'
import { asText, type JsonObject } from '../json/json-object.ts'

/** An image a model made. One without its result is only the trace of a hosted tool. */
export function readImageCall(item: JsonObject): Part {
  const data = asText(item.result)
  if (data === '') return { type: 'native', dialect: 'openai-responses', value: item }
  return { type: 'image', source: { kind: 'base64', mediaType: imageType(item), data } }
}

export function imageType(item: JsonObject): string {
  return `image/${asText(item.output_format) || 'png'}`
}

export function imageItem(id: string, image: { readonly mediaType: string; readonly data: string }): JsonObject {
  return {
    type: 'image_generation_call',
    id,
    status: 'completed',
    output_format: image.mediaType.slice(image.mediaType.indexOf('/') + 1),
    result: image.data,
  }
}
