import { type api, ApiError, logEvent } from '@tidegate/contract'
import { readBody, type UpstreamClient } from '@tidegate/providers'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { providerName } from './provider.ts'

const TIMEOUT_MS = 5_000
const MAX_RESPONSE_BYTES = 256 * 1024

/** Sends a request. */
type Send = (address: URL, init: RequestInit & { signal: AbortSignal }) => Promise<Response>

interface FetchOptions {
  timeoutMs?: number
  /** Replaces `fetch` for addresses that must not reach private networks. */
  send?: Send
}

/** A provider that is unreachable or returns an unusable response. The message is for the log only. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: 'unreachable' | 'bad-response'

  constructor(kind: ProviderError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * Sends a request to a provider and reads the whole response, with a time and size limit. Redirects are not followed:
 * they could carry a secret to an unknown address. Requires https, except on this machine.
 */
export async function fetchFromProvider(
  url: string | URL,
  init: RequestInit = {},
  { timeoutMs = TIMEOUT_MS, send = fetch }: FetchOptions = {},
): Promise<Response> {
  const address = new URL(url)
  if (!isAllowedUrl(address)) throw new ProviderError('unreachable', `${address.origin} is not https`)
  try {
    const response = await send(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    if (response.status >= 500) throw new ProviderError('unreachable', `${address.host} returned ${response.status}`)
    const body = await readLimitedBody(response)
    return new Response(body.length === 0 ? null : body, { status: response.status, headers: response.headers })
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause
    throw new ProviderError('unreachable', `${address.host} did not respond`, { cause })
  }
}

/** Fetches JSON and validates it with the schema. */
export async function fetchJson<Schema extends z.ZodType>(
  schema: Schema,
  url: string | URL,
  init: RequestInit & { headers?: Record<string, string> } = {},
  sending: FetchOptions = {},
): Promise<z.output<Schema>> {
  const headers = { Accept: 'application/json', 'User-Agent': 'tidegate', ...init.headers }
  const response = await fetchFromProvider(url, { ...init, headers }, sending)
  const { host, pathname } = new URL(url)
  if (!response.ok) throw new ProviderError('bad-response', `${host}${pathname} returned ${response.status}`)
  const parsed = schema.safeParse(await readJson(response))
  if (parsed.success) return parsed.data
  throw new ProviderError('bad-response', `${host}${pathname} returned an unexpected response`, { cause: parsed.error })
}

/** Syntax errors quote the response, which may contain a token. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new ProviderError('bad-response', 'the response is not JSON')
  }
}

async function readLimitedBody(response: Response): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.byteLength
    if (length > MAX_RESPONSE_BYTES) throw new ProviderError('bad-response', 'the response is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function isAllowedUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Sends GET requests by the guarded client, which rejects private addresses when it connects. */
export function guardedSend(client: UpstreamClient): Send {
  return async ({ href }, { headers, signal }) => {
    const sent = { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' }
    const response = await client.open({ url: href, method: 'GET', headers: sent, signal, single: true })
    const body = await readBody(response, MAX_RESPONSE_BYTES)
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status: response.status })
  }
}

/** Runs a provider request: logs the reason of a failure and returns only an error code to the caller. */
export async function withProviderErrors<Result>(
  { log }: Pick<Deps, 'log'>,
  service: api.SignInServiceName,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    logEvent(log, 'oauth.provider_failed', { service, reason: messagesOf(error) })
    const code = error.kind === 'unreachable' ? 'oauth_unreachable' : 'oauth_bad_answer'
    throw new ApiError(code, providerName(service), { cause: error })
  }
}

/** Messages only: error objects of libraries contain whole responses with tokens. */
function messagesOf(error: unknown): string[] {
  const messages: string[] = []
  for (let next = error; next instanceof Error && messages.length < 5; next = next.cause) messages.push(next.message)
  return messages
}
