import { createHash } from 'node:crypto'
import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type { Target } from '../target.ts'
import type { UpstreamClient, UpstreamRequest } from './types.ts'
import { FAILURES } from './failure.ts'
import { BASE_HEADERS } from './override-headers.ts'
import { checkStatus, readJsonText } from './read-body.ts'

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly target: Target
  readonly url: string
  readonly method: UpstreamRequest['method']
  readonly body: string
  /** The proxy of the channel. Token requests use it as well. */
  readonly proxy?: string | undefined
}

/** What signing needs from outside. */
export interface RequestSigner {
  now(): Date
  /** Returns a cached access token, or exchanges the key for one. Concurrent callers share one exchange. */
  token(name: string, trade: () => Promise<AccessToken>): Promise<string>
  /** Posts a form and returns the JSON response. Throws an UpstreamFailure if there is none. */
  postForm(url: string, fields: Readonly<Record<string, string>>, proxy?: string): Promise<unknown>
}

export interface AccessToken {
  readonly token: string
  readonly lifetimeMs: number
}

/** For providers that sign requests or need an access token: returns the authentication headers. */
export type SignRequest = (request: UnsignedRequest, signer: RequestSigner) => Promise<Record<string, string>>

/** For providers that authenticate by URL: returns the signed URL. */
export type SignUrl = (request: UnsignedRequest, signer: RequestSigner) => Promise<string>

/** Tokens are replaced a little before they expire, so that a running request does not fail. */
const EXPIRY_MARGIN_MS = 60_000
const MAX_TOKENS = 1000
const RESPONSE_CAP_BYTES = 1024 * 1024

/** Exchanges keys for access tokens and caches them. */
export function createRequestSigner(client: Pick<UpstreamClient, 'open'>, now = () => new Date()): RequestSigner {
  const tokens = new LRUCache<string, { token: Promise<AccessToken>; until: number }>(cacheLimit(MAX_TOKENS))

  return {
    now,
    async token(name, trade) {
      // Names contain keys, so only their hash is stored.
      const id = createHash('sha256').update(name).digest('base64')
      const known = tokens.get(id)
      if (known && known.until > now().getTime()) return (await known.token).token
      const entry = { token: trade(), until: Infinity }
      tokens.set(id, entry)
      try {
        const { token, lifetimeMs } = await entry.token
        entry.until = now().getTime() + Math.max(0, lifetimeMs - EXPIRY_MARGIN_MS)
        return token
      } catch (error) {
        if (tokens.get(id) === entry) tokens.delete(id)
        throw error
      }
    },
    async postForm(url, fields, proxy) {
      const response = await client.open({
        url,
        method: 'POST',
        // Not a channel request: the key is in the form, and header overrides are for the provider's own host.
        headers: {
          ...BASE_HEADERS,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: new URLSearchParams(fields).toString(),
        proxy,
        deadlines: { firstByteMs: 20_000, idleMs: 10_000 },
      })
      await checkStatus(response)
      const text = await readJsonText(response, RESPONSE_CAP_BYTES)
      try {
        return JSON.parse(text) as unknown
      } catch (error) {
        throw FAILURES.unreadable(error)
      }
    },
  }
}
