import { ApiError } from '@tidegate/contract'
import type { CanonicalRequest, Dialect, MediaSource, Message, Part, RequestHead } from '@tidegate/dialects'
import type { MediaFetcher } from '../ports/index.ts'

/**
 * Replaces the addresses of images and documents by what they hold, for providers that do not fetch them. Each address is
 * fetched once for a call, however often it is tried.
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

/** The canonical form of a call's request, made when it is first needed and kept for further attempts. */
export interface CanonicalSource {
  asGiven(): CanonicalRequest
  /** With everything the client only pointed to. */
  inlined(signal: AbortSignal): Promise<CanonicalRequest>
}

export function canonicalSource(
  dialect: Dialect,
  head: RequestHead,
  fetchMedia: MediaFetcher | undefined,
): CanonicalSource {
  let given: CanonicalRequest | undefined
  let whole: Promise<CanonicalRequest> | undefined
  const asGiven = () => (given ??= dialect.decodeRequest(head))
  return {
    asGiven,
    inlined: (signal) => (whole ??= inlineMedia(asGiven(), fetchMedia, signal)),
  }
}

type File = Awaited<ReturnType<MediaFetcher>>

const MOST_FILES = 100
const AT_ONCE = 4
const ENOUGH_MS = 60_000
/** In base64, as they are held. A single file may be larger: its own limit is the operator's. */
const ENOUGH_CHARACTERS = 64 * 1024 ** 2

/**
 * Fetches the files of one call, each once. A body has room for a million addresses, so few are fetched at a time and
 * not for ever: else anybody with a key could fill this server, or send it against another.
 */
export async function fetchFiles(
  addresses: ReadonlySet<string>,
  fetchMedia: MediaFetcher,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, File>> {
  if (addresses.size > MOST_FILES) throw unavailable(`there are more than ${MOST_FILES} of them`)
  const files = new Map<string, File>()
  const waiting = [...addresses]
  const giveUp = new AbortController()
  const within = AbortSignal.any([signal, giveUp.signal])
  const begun = performance.now()
  let characters = 0

  const fetchInTurn = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      if (characters > ENOUGH_CHARACTERS) throw unavailable('together they are too large')
      if (performance.now() - begun > ENOUGH_MS) throw unavailable('together they took too long')
      const file = await fetchMedia(address, within)
      characters += file.data.length
      files.set(address, file)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, fetchInTurn))
    return files
  } finally {
    // After a failure nobody waits for the others.
    waiting.length = 0
    giveUp.abort()
  }
}

function unavailable(reason: string): ApiError {
  return new ApiError('media_unavailable', { reason })
}
