import type { IncomingHttpHeaders } from 'node:http'
import type { DialectId } from '@tidegate/dialects'

export interface Credential {
  /** Without `sk-` and without a pinned channel; blank when there is none. */
  readonly key: string
  /** The text after a dash: the channel that the owner pins. */
  readonly pin?: string
  /** Instead of the key: the token of a caller that was authenticated before. It never comes from a request. */
  readonly tokenId?: number
}

const USUAL = 'Bearer sk-'

interface Credentials {
  readonly headers: IncomingHttpHeaders
  readonly url?: string
}

/** Finds the API token in any form of the client's protocol. */
export function readCredential({ headers, url = '' }: Credentials, protocol: DialectId): Credential {
  const { authorization } = headers
  // What SDKs send. A placeholder for another header has no such form.
  if (authorization?.startsWith(USUAL) && authorization.indexOf('-', USUAL.length) === -1) {
    return { key: authorization.slice(USUAL.length) }
  }
  const header = midjourneyKey(headers) || headers.authorization?.trim() || nativeKey({ headers, url }, protocol)
  const bare = header
    .replace(/^bearer\s+/i, '')
    .trim()
    .replace(/^sk-/, '')
  const dash = bare.indexOf('-')
  return dash === -1 ? { key: bare } : { key: bare.slice(0, dash), pin: bare.slice(dash + 1) }
}

/** Clients of Midjourney proxies use their own header, and may send a placeholder in the usual one. */
function midjourneyKey(headers: IncomingHttpHeaders): string {
  const usual = headers.authorization?.trim() ?? ''
  return usual === '' || usual === 'midjourney-proxy' ? text(headers['mj-api-secret']) : ''
}

/** Whether the client uses Anthropic's protocol. Its key may be in either header. */
export function isAnthropicClient(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined
}

function nativeKey({ headers, url }: Required<Credentials>, protocol: DialectId): string {
  switch (protocol) {
    case 'anthropic-messages':
      return text(headers['x-api-key'])
    case 'gemini-generate':
    case 'gemini-interactions':
      return text(headers['x-goog-api-key']) || (URL.parse(url, 'http://gateway')?.searchParams.get('key') ?? '')
    default:
      return ''
  }
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : ''
}
