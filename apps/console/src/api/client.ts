import {
  TOTAL_HEADER,
  type BodyInput,
  type Endpoint,
  type Envelope,
  type QueryInput,
  type ReplyOf,
} from '@tidegate/contract/api'
import { ApiError, type ApiErrorCode } from './errors.ts'
import { serverLanguage } from '../lib/i18n.ts'
import { askForProof, proofsSoFar } from './reauth-hook.ts'
import { expireSession, requireSecondFactor } from './session.ts'
import { stored } from '../lib/stored.ts'

/** Paging parameters. Endpoints name the page size `page_size` or `size`. */
interface PageParameters {
  p?: number
  page_size?: number
  size?: number
}

export interface CallInput<E extends Endpoint> {
  query?: QueryInput<E> & PageParameters
  body?: BodyInput<E>
  /** Values of the path parameters. */
  params?: Record<string, string | number>
  /** Expected `ETag`. The server rejects the request if the object has changed since. */
  ifMatch?: string | undefined
  signal?: AbortSignal
}

/** User ID without a session. The header is always sent, because cross-site pages cannot send it. */
const NO_USER = -1

/**
 * Sends a request and returns its data, or throws an `ApiError`. Clears the session if the server rejects it. If the
 * endpoint requires re-authentication, asks the user and sends the request again.
 */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ReplyOf<E>> {
  return (await callCounted(endpoint, input)).data
}

/** Like `call`, but also returns the total count and the `ETag` from the response headers. */
export async function callCounted<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
): Promise<{ data: ReplyOf<E>; total: number | undefined; etag: string | undefined }> {
  const { response, envelope } = await sendWithReauth(endpoint, input)
  if (!response.ok || envelope?.success !== true) throw toApiError(response, envelope)
  const etag = response.headers.get('etag') ?? undefined
  return { data: (endpoint.bare ? envelope : envelope.data) as ReplyOf<E>, total: totalOf(response), etag }
}

/** For bare endpoints whose `success` is a result, such as channel tests. Throws only if the request itself fails. */
export async function callForFinding<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ReplyOf<E>> {
  const { response, envelope } = await sendWithReauth(endpoint, input)
  if (!response.ok || envelope === undefined) throw toApiError(response, envelope)
  return envelope as ReplyOf<E>
}

/** For bare endpoints that return text without an envelope, such as a file. Throws an `ApiError` on failure. */
export async function callForText<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<string> {
  const response = await send(endpoint, input)
  const envelope = await readEnvelope(response.clone())
  if (response.status === 401) expireSession()
  if (!response.ok || envelope?.success === false) throw toApiError(response, envelope)
  return response.text()
}

/** For bare endpoints that return a file too large for memory. Throws an `ApiError` on failure. */
export async function callForStream<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(endpoint, input)
  if (response.status === 401) expireSession()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!response.ok || isJson || !response.body) throw toApiError(response, await readEnvelope(response))
  return response.body
}

async function sendWithReauth<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const countBefore = proofsSoFar()
  const first = await attempt(endpoint, input)
  if (first.envelope?.success !== false || first.envelope.code !== 'proof_required') return first
  const isReauthenticated = proofsSoFar() > countBefore || (await askForProof())
  return isReauthenticated ? attempt(endpoint, input) : first
}

async function attempt<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const response = await send(endpoint, input)
  const envelope = await readEnvelope(response)
  if (response.status === 401 && !isSignInRejection(endpoint, envelope)) expireSession()
  if (envelope?.success === false && envelope.code === 'admin_second_factor_required') requireSecondFactor()
  return { response, envelope }
}

/** A banned account cannot sign in. This error does not end the current session of another account. */
function isSignInRejection({ access }: Endpoint, envelope: Envelope | undefined): boolean {
  const isSignIn = access === 'public' || access === 'visitor'
  return isSignIn && envelope?.success === false && ['user_banned', 'user_deregistered'].includes(envelope.code)
}

function toApiError(response: Response, envelope: Envelope | undefined): ApiError {
  const code: ApiErrorCode = envelope?.success === false ? (envelope.code ?? 'unknown') : 'unknown'
  const requestId = response.headers.get('x-request-id') ?? ''
  const data = envelope?.success === false ? envelope.data : undefined
  return new ApiError({ status: response.status, code, serverMessage: envelope?.message ?? '', requestId, data })
}

function totalOf({ headers }: Response): number | undefined {
  const header = headers.get(TOTAL_HEADER) ?? ''
  return /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

async function send<E extends Endpoint>(
  endpoint: E,
  { query, body, params, ifMatch, signal }: CallInput<E>,
): Promise<Response> {
  const headers = new Headers({
    Accept: 'application/json',
    'Accept-Language': serverLanguage(),
    'Cache-Control': 'no-store',
    'Tidegate-User': String(stored.user.get()?.id ?? NO_USER),
  })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch)
  try {
    return await fetch(fillPath(endpoint.path, params) + queryString(query), {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError({ status: 0, code: 'network', serverMessage: '', requestId: '' }, { cause })
  }
}

function fillPath(path: string, params: Record<string, string | number> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`The path ${path} needs "${name}".`)
    return encodeURIComponent(value)
  })
}

function queryString(query: unknown): string {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    (entry): entry is [string, string | number | boolean] =>
      ['string', 'number', 'boolean'].includes(typeof entry[1]) && entry[1] !== '',
  )
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? '' : `?${search}`
}

/** Returns undefined if the body is not an envelope, such as the error page of a proxy. */
async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  try {
    const envelope: unknown = await response.json()
    return typeof envelope === 'object' && envelope !== null && 'success' in envelope
      ? (envelope as Envelope)
      : undefined
  } catch {
    return undefined
  }
}
