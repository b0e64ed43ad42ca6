import { ApiError } from '@tidegate/contract'
import type { UpstreamClient, UpstreamResponse } from './types.ts'
import { UpstreamFailure } from './failure.ts'
import { BASE_HEADERS } from './override-headers.ts'
import { readBody } from './read-body.ts'

export interface FetchedMedia {
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

export interface MediaLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
}

type FileClient = Pick<UpstreamClient, 'open'>

const MAX_REDIRECTS = 3
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])
/** Types that models accept. A web page instead of an image is rejected with a reason. */
const MEDIA_TYPES = /^(image|audio|video)\/|^application\/pdf\b|^text\/plain\b/i
/** Encodings that can be decompressed; other content would be forwarded as an invalid image. */
const SUPPORTED_ENCODINGS = /^(identity|gzip|x-gzip|br|deflate)?$/i

/**
 * Fetches a file by a URL of the client. The given HTTP client must reject private addresses, because any caller can
 * name one.
 */
export function createMediaFetcher(client: FileClient, { maxBytes, timeoutMs }: MediaLimits) {
  return async (address: string, signal: AbortSignal): Promise<FetchedMedia> => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await followRedirects(client, address, deadline)
    const mediaType = headerOf(response, 'content-type').split(';')[0]!.trim().toLowerCase()
    if (response.status !== 200) throw rejectResponse(response, `the server responded with ${response.status}`)
    if (!MEDIA_TYPES.test(mediaType)) throw rejectResponse(response, `it is of the type ${mediaType || 'unknown'}`)
    if (!SUPPORTED_ENCODINGS.test(headerOf(response, 'content-encoding').trim()))
      throw rejectResponse(response, 'its content encoding is not supported')
    if (Number(headerOf(response, 'content-length')) > maxBytes) throw rejectResponse(response, tooLarge(maxBytes))
    const bytes = await readBody(response, maxBytes).catch((error: unknown) => {
      throw toMediaError(
        error,
        signal.aborted ? undefined : deadline.aborted ? 'it took too long' : readFailureReason(error, maxBytes),
      )
    })
    if (bytes.length === 0) throw new ApiError('media_unavailable', { reason: 'it is empty' })
    return { mediaType, data: bytes.toString('base64') }
  }
}

async function followRedirects(client: FileClient, address: string, signal: AbortSignal): Promise<UpstreamResponse> {
  let url = address
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new ApiError('media_unavailable', { reason: 'its address is not an http address' })
    }
    const response = await open(client, url, signal)
    const location = headerOf(response, 'location')
    if (!REDIRECT_STATUSES.has(response.status) || location === '') return response
    response.abort()
    url = URL.parse(location, url)?.href ?? ''
  }
  throw new ApiError('media_unavailable', { reason: 'it is redirected too often' })
}

async function open(client: FileClient, url: string, signal: AbortSignal): Promise<UpstreamResponse> {
  try {
    return await client.open({
      url,
      method: 'GET',
      // A URL of a client: no channel, so no key, override or proxy.
      headers: { ...BASE_HEADERS, accept: 'image/*,audio/*,video/*,application/pdf' },
      signal,
    })
  } catch (error) {
    throw toMediaError(error, 'its server cannot be reached')
  }
}

/** The first value of a header, or an empty string. */
function headerOf({ headers }: UpstreamResponse, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function rejectResponse(response: UpstreamResponse, reason: string): ApiError {
  response.abort()
  return new ApiError('media_unavailable', { reason })
}

/** If the client disconnected, the failure stays unchanged. */
function toMediaError(error: unknown, reason: string | undefined): unknown {
  if (reason === undefined || !(error instanceof UpstreamFailure)) return error
  return new ApiError('media_unavailable', { reason }, { cause: error })
}

function readFailureReason(error: unknown, maxBytes: number): string {
  if (!(error instanceof UpstreamFailure)) return 'it cannot be read'
  if (error.error.code === 'upstream_answer_too_large') return tooLarge(maxBytes)
  return error.kind === 'answer' ? 'it cannot be decompressed' : 'the connection was lost'
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${Math.floor(maxBytes / 1024 ** 2)} MB`
}
