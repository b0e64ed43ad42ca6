import { ApiError } from '@tidegate/contract'
import type { CanonicalRequest, Dialect, MediaSource, Message, Part, RequestHead } from '@tidegate/dialects'
import type { MediaFetcher } from '../ports/index.ts'

/** The canonical form of a request, built on first use and shared by all attempts. */
export interface CanonicalSource {
  original(): CanonicalRequest
  /** With the content of all URLs. */
  inline(signal: AbortSignal): Promise<CanonicalRequest>
}

export function canonicalSource(
  dialect: Dialect,
  head: RequestHead,
  fetchMedia: MediaFetcher | undefined,
): CanonicalSource {
  let decoded: CanonicalRequest | undefined
  let whole: Promise<CanonicalRequest> | undefined
  const original = () => (decoded ??= dialect.decodeRequest(head))
  return {
    original,
    inline: (signal) => (whole ??= inlineMedia(original(), fetchMedia, signal)),
  }
}

/**
 * Replaces URLs of images and documents with their content, for providers that do not fetch them. Each URL is fetched
 * once per request, for all attempts.
 */
async function inlineMedia(
  request: CanonicalRequest,
  fetchMedia: MediaFetcher | undefined,
  signal: AbortSignal,
): Promise<CanonicalRequest> {
  const addresses = new Set(request.messages.flatMap(({ parts }) => parts.flatMap(addressesIn)))
  if (addresses.size === 0) return request
  if (!fetchMedia) throw new ApiError('media_unavailable', { reason: 'this gateway fetches no files' })
  const fetched = await fetchFiles(addresses, fetchMedia, signal)
  const inlinePart = (part: Part): Part => {
    if (part.type === 'tool-result')
      return { ...part, content: part.content.map((item) => inlinePart(item) as typeof item) }
    if (!('source' in part) || part.source.kind !== 'url') return part
    const { mediaType, data } = fetched.get(part.source.url)!
    return { ...part, source: { kind: 'base64', mediaType: mediaType || part.source.mediaType || '', data } }
  }
  const messages = request.messages.map((message): Message => ({ ...message, parts: message.parts.map(inlinePart) }))
  return { ...request, messages }
}

function addressesIn(part: Part): string[] {
  if (part.type === 'tool-result') return part.content.flatMap(addressesIn)
  const source: MediaSource | { kind: 'text' } | undefined = 'source' in part ? part.source : undefined
  return source?.kind === 'url' ? [source.url] : []
}

type File = Awaited<ReturnType<MediaFetcher>>

const MAX_FILES = 100
const AT_ONCE = 4
const ENOUGH_MS = 60_000
/** Total in base64, as held in memory. A single file may be larger: the operator sets its limit. */
const ENOUGH_CHARACTERS = 64 * 1024 ** 2

/**
 * Fetches the files of one request, each once. A body can hold a million URLs, so the number, the concurrency and the
 * total time are limited: a caller must not fill the memory of this server, or use it to attack another.
 */
export async function fetchFiles(
  addresses: ReadonlySet<string>,
  fetchMedia: MediaFetcher,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, File>> {
  if (addresses.size > MAX_FILES) throw unavailable(`there are more than ${MAX_FILES} of them`)
  const files = new Map<string, File>()
  const queue = [...addresses]
  const abort = new AbortController()
  const within = AbortSignal.any([signal, abort.signal])
  const begun = performance.now()
  let characters = 0

  const fetchNext = async () => {
    for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
      if (characters > ENOUGH_CHARACTERS) throw unavailable('together they are too large')
      if (performance.now() - begun > ENOUGH_MS) throw unavailable('together they took too long')
      const file = await fetchMedia(address, within)
      characters += file.data.length
      files.set(address, file)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, fetchNext))
    return files
  } finally {
    // After a failure the others are not needed.
    queue.length = 0
    abort.abort()
  }
}

function unavailable(reason: string): ApiError {
  return new ApiError('media_unavailable', { reason })
}
