import type { Part } from '../canonical/index.ts'
import { asJsonObject, asText, type JsonObject } from '../json/json-object.ts'
import { type InlineMedia, readDataUrl, writeDataUrl } from '../openai-wire/files.ts'

export type ImageSource = InlineMedia | { readonly kind: 'url'; readonly url: string }

/** Reads the image of an `image_url` part, which is a string or an object. */
export function readImage(part: JsonObject | undefined): ImageSource | undefined {
  const url = asText(part?.image_url) || asText(asJsonObject(part?.image_url)?.url)
  return url === '' ? undefined : (readDataUrl(url) ?? { kind: 'url', url })
}

const IMAGE_PREFIX = '![image]('

/** Image in a response. Clients of this protocol render content as markdown and have no other field for images. */
export function writeMarkdownImage(image: { readonly mediaType: string; readonly data: string }): string {
  return `${IMAGE_PREFIX}${writeDataUrl(image)})`
}

/**
 * Restores the images that the gateway wrote into earlier responses. The model then sees an image instead of megabytes
 * of text.
 */
export function splitMarkdownImages(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (let at = text.indexOf(IMAGE_PREFIX); at !== -1; at = text.indexOf(IMAGE_PREFIX, at + 1)) {
    const end = text.indexOf(')', at)
    const source = end === -1 ? undefined : readDataUrl(text.slice(at + IMAGE_PREFIX.length, end))
    if (!source?.mediaType.startsWith('image/')) continue
    if (at > from) parts.push({ type: 'text', text: text.slice(from, at) })
    parts.push({ type: 'image', source })
    from = end + 1
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) })
  return parts
}
