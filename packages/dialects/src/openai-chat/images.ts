import type { Part } from '../canonical/index.ts'
import { asJsonObject, asText, type JsonObject } from '../json/json-object.ts'

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

const OPENING = '![image]('

/** An image in an answer: clients of this dialect show content as markdown and have no other place for one. */
export function imageAsText(image: { readonly mediaType: string; readonly data: string }): string {
  return `${OPENING}${writeDataUrl(image)})`
}

/**
 * The images we wrote into earlier answers are images again, so that a model sees what it drew instead of reading
 * megabytes of letters.
 */
export function splitImages(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (let at = text.indexOf(OPENING); at !== -1; at = text.indexOf(OPENING, at + 1)) {
    const end = text.indexOf(')', at)
    const source = end === -1 ? undefined : readDataUrl(text.slice(at + OPENING.length, end))
    if (!source?.mediaType.startsWith('image/')) continue
    if (at > from) parts.push({ type: 'text', text: text.slice(from, at) })
    parts.push({ type: 'image', source })
    from = end + 1
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) })
  return parts
}
