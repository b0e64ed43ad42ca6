import { asText, asJsonObject, type JsonObject } from '../json/json-object.ts'

export type ImageFound =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }

/** The image of an `image_url` part, whose address is either a text or an object with more beside it. */
export function imageOf(part: JsonObject | undefined): ImageFound | undefined {
  const url = asText(part?.image_url) || asText(asJsonObject(part?.image_url)?.url)
  return url === '' ? undefined : (readDataUrl(url) ?? { kind: 'url', url })
}

/** The content of a base64 data URL. Cut by hand, for they are many megabytes long. */
export function readDataUrl(url: string): Extract<ImageFound, { kind: 'base64' }> | undefined {
  if (!url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  const [mediaType = '', ...parameters] = url.slice('data:'.length, Math.max(comma, 0)).split(';')
  if (!parameters.includes('base64')) return undefined
  return { kind: 'base64', mediaType, data: url.slice(comma + 1) }
}

export function writeDataUrl({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string {
  return `data:${mediaType};base64,${data}`
}
