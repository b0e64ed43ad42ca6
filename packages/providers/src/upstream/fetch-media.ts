import { Refusal } from '@tidegate/contract'
import type { UpstreamClient, UpstreamResponse } from './client.ts'
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

/**
 * Fetches a file a client points to. The client given must refuse private addresses: anybody with a key can name one.
 */
export function createMediaFetcher(client: FileClient, { maxBytes, timeoutMs }: MediaLimits) {
  return async (address: string, signal: AbortSignal): Promise<FetchedMedia> => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await follow(client, address, within)
    const mediaType = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (response.status !== 200) throw refused(response, `the server answered ${response.status}`)
    if (!MEDIA.test(mediaType)) throw refused(response, `it is of the type ${mediaType || 'unknown'}`)
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw refused(response, tooLarge(maxBytes))
    try {
      return { mediaType, data: (await readBody(response, maxBytes)).toString('base64') }
    } catch (error) {
      throw unreadable(error, signal.aborted ? undefined : within.aborted ? 'it took too long' : tooLarge(maxBytes))
    }
  }
}

async function follow(client: FileClient, address: string, signal: AbortSignal): Promise<UpstreamResponse> {
  let url = address
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new Refusal('media_unavailable', { reason: 'its address is not an http address' })
    }
    const response = await open(client, url, signal)
    const location = response.headers.location
    if (!REDIRECTS.has(response.status) || location === undefined) return response
    response.abort()
    url = URL.parse(location, url)?.href ?? ''
  }
  throw new Refusal('media_unavailable', { reason: 'it is redirected too often' })
}

async function open(client: FileClient, url: string, signal: AbortSignal): Promise<UpstreamResponse> {
  try {
    return await client.open({
      url,
      method: 'GET',
      headers: { accept: 'image/*,audio/*,video/*,application/pdf', 'user-agent': 'tidegate' },
      signal,
    })
  } catch (error) {
    throw unreadable(error, 'its server cannot be reached')
  }
}

function refused(response: UpstreamResponse, reason: string): Refusal {
  response.abort()
  return new Refusal('media_unavailable', { reason })
}

/** A client that left is not told anything: its failure stays what it was. */
function unreadable(error: unknown, reason: string | undefined): unknown {
  if (reason === undefined || !(error instanceof UpstreamFailure)) return error
  return new Refusal('media_unavailable', { reason }, { cause: error })
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${Math.floor(maxBytes / 1024 ** 2)} MB`
}
