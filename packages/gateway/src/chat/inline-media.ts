import { ApiError } from '@tidegate/contract'
import type { CanonicalRequest, MediaSource, Message, Part } from '@tidegate/dialects'
import type { MediaFetcher } from '../ports/index.ts'
import { fetchFiles } from './fetch-files.ts'

/**
 * Replaces the addresses of images and documents by what they hold, for vendors that do not fetch them. Each address is
 * fetched once for a call, however often it is tried.
 */
export async function inlineMedia(
  request: CanonicalRequest,
  fetchMedia: MediaFetcher | undefined,
  signal: AbortSignal,
): Promise<CanonicalRequest> {
  const addresses = new Set(request.messages.flatMap(({ parts }) => parts.flatMap(addressesIn)))
  if (addresses.size === 0) return request
  if (!fetchMedia) throw new ApiError('media_unavailable', { reason: 'this gateway fetches no files' })
  const fetched = await fetchFiles(addresses, fetchMedia, signal)
  const inlined = (part: Part): Part => {
    if (part.type === 'tool-result')
      return { ...part, content: part.content.map((item) => inlined(item) as typeof item) }
    if (!('source' in part) || part.source.kind !== 'url') return part
    const { mediaType, data } = fetched.get(part.source.url)!
    return { ...part, source: { kind: 'base64', mediaType: mediaType || part.source.mediaType || '', data } }
  }
  const messages = request.messages.map((message): Message => ({ ...message, parts: message.parts.map(inlined) }))
  return { ...request, messages }
}

function addressesIn(part: Part): string[] {
  if (part.type === 'tool-result') return part.content.flatMap(addressesIn)
  const source: MediaSource | { kind: 'text' } | undefined = 'source' in part ? part.source : undefined
  return source?.kind === 'url' ? [source.url] : []
}
