import { ApiError } from '@tidegate/contract'
import type { UpstreamClient, UpstreamResponse } from './types.ts'
import { UpstreamFailure } from './failure.ts'
import { readBody } from './read-body.ts'

export interface FetchedMedia {
  readonly mediaType: string
  /** In base64. */
  readonly data: string
}

export interface MediaLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
}

type FileClient = Pick<UpstreamClient, 'open'>

const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** What models take, by what it is; a web page in place of a picture is a mistake worth telling. */
const MEDIA = /^(image|audio|video)\/|^application\/pdf\b|^text\/plain\b/i
/** What can be unpacked; whatever else would be passed on as a picture that it is not. */
const PACKED = /^(identity|gzip|x-gzip|br|deflate)?$/i

/**
 * Fetches a file a client points to. The client given must refuse private addresses: anybody with a key can name one.
 */
export function createMediaFetcher(client: FileClient, { maxBytes, timeoutMs }: MediaLimits) {
  return async (address: string, signal: AbortSignal): Promise<FetchedMedia> => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await follow(client, address, within)
    const mediaType = told(response, 'content-type').split(';')[0]!.trim().toLowerCase()
    if (response.status !== 200) throw refused(response, `the server answered ${response.status}`)
    if (!MEDIA.test(mediaType)) throw refused(response, `it is of the type ${mediaType || 'unknown'}`)
    if (!PACKED.test(told(response, 'content-encoding').trim())) throw refused(response, 'it is packed in another way')
    if (Number(told(response, 'content-length')) > maxBytes) throw refused(response, tooLarge(maxBytes))
    const bytes = await readBody(response, maxBytes).catch((error: unknown) => {
      throw unreadable(
        error,
        signal.aborted ? undefined : within.aborted ? 'it took too long' : whyNot(error, maxBytes),
      )
    })
    if (bytes.length === 0) throw new ApiError('media_unavailable', { reason: 'it is empty' })
    return { mediaType, data: bytes.toString('base64') }
  }
}

async function follow(client: FileClient, address: string, signal: AbortSignal): Promise<UpstreamResponse> {
  let url = address
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new ApiError('media_unavailable', { reason: 'its address is not an http address' })
    }
    const response = await open(client, url, signal)
    const location = told(response, 'location')
    if (!REDIRECTS.has(response.status) || location === '') return response
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
      headers: {
        accept: 'image/*,audio/*,video/*,application/pdf',
        'accept-encoding': 'identity',
        'user-agent': 'tidegate',
      },
      signal,
    })
  } catch (error) {
    throw unreadable(error, 'its server cannot be reached')
  }
}

/** A header, blank when it is missing. A server may send one twice, and then the first counts. */
function told({ headers }: UpstreamResponse, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function refused(response: UpstreamResponse, reason: string): ApiError {
  response.abort()
  return new ApiError('media_unavailable', { reason })
}

/** A client that left is not told anything: its failure stays what it was. */
function unreadable(error: unknown, reason: string | undefined): unknown {
  if (reason === undefined || !(error instanceof UpstreamFailure)) return error
  return new ApiError('media_unavailable', { reason }, { cause: error })
}

function whyNot(error: unknown, maxBytes: number): string {
  if (!(error instanceof UpstreamFailure)) return 'it cannot be read'
  if (error.error.code === 'upstream_answer_too_large') return tooLarge(maxBytes)
  return error.kind === 'answer' ? 'it cannot be unpacked' : 'it breaks off'
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${Math.floor(maxBytes / 1024 ** 2)} MB`
}
