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

/** Every paged call takes its page number and, under one of two names, its page size. */
interface PageParameters {
  p?: number
  page_size?: number
  size?: number
}

export interface CallInput<E extends Endpoint> {
  query?: QueryInput<E> & PageParameters
  body?: BodyInput<E>
  /** Values for the names in braces of the path. */
  params?: Record<string, string | number>
  /** The `ETag` of what is to be changed: the call is rejected when that has changed since. */
  ifMatch?: string | undefined
  signal?: AbortSignal
}

/** Nobody is logged in: the header is sent all the same, because a cross-site page could not send it. */
const NO_USER = -1

/**
 * Makes a call of the contract. Answers its data or throws a `ApiError`; a refused session is also forgotten. A call that
 * needs proof has the person asked for it, and is made once more.
 */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ReplyOf<E>> {
  return (await callCounted(endpoint, input)).data
}

/** The same with what headers say: how many there are in all, and the version of what was read or changed. */
export async function callCounted<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
): Promise<{ data: ReplyOf<E>; total: number | undefined; etag: string | undefined }> {
  const { response, answer } = await exchange(endpoint, input)
  if (!response.ok || answer?.success !== true) throw refusal(response, answer)
  const etag = response.headers.get('etag') ?? undefined
  return { data: (endpoint.bare ? answer : answer.data) as ReplyOf<E>, total: totalOf(response), etag }
}

/** For bare calls whose `success` is what they found out: a "no" is an answer, only trouble on the way is thrown. */
export async function callForFinding<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ReplyOf<E>> {
  const { response, answer } = await exchange(endpoint, input)
  if (!response.ok || answer === undefined) throw refusal(response, answer)
  return answer as ReplyOf<E>
}

/** For bare calls that answer in no envelope: a file, or the words of the payment calls. A refusal is thrown. */
export async function callForText<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<string> {
  const response = await send(endpoint, input)
  const answer = await readAnswer(response.clone())
  if (response.status === 401) expireSession()
  if (!response.ok || answer?.success === false) throw refusal(response, answer)
  return response.text()
}

/** For bare calls that answer with a file too large to hold as text. A refusal is thrown. */
export async function callForStream<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(endpoint, input)
  if (response.status === 401) expireSession()
  const isRefusal = response.headers.get('content-type')?.startsWith('application/json')
  if (!response.ok || isRefusal || !response.body) throw refusal(response, await readAnswer(response))
  return response.body
}

async function exchange<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const proofsBefore = proofsSoFar()
  const first = await attempt(endpoint, input)
  if (first.answer?.success !== false || first.answer.code !== 'proof_required') return first
  const isProved = proofsSoFar() > proofsBefore || (await askForProof())
  return isProved ? attempt(endpoint, input) : first
}

async function attempt<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const response = await send(endpoint, input)
  const answer = await readAnswer(response)
  if (response.status === 401 && !isAboutAnother(endpoint, answer)) expireSession()
  if (answer?.success === false && answer.code === 'admin_second_factor_required') requireSecondFactor()
  return { response, answer }
}

/** Whoever signs in may be banned; that says nothing of the session that is open meanwhile, if any. */
function isAboutAnother({ access }: Endpoint, answer: Envelope | undefined): boolean {
  const isSignIn = access === 'public' || access === 'visitor'
  return isSignIn && answer?.success === false && ['user_banned', 'user_deregistered'].includes(answer.code)
}

function refusal(response: Response, answer: Envelope | undefined): ApiError {
  const code: ApiErrorCode = answer?.success === false ? (answer.code ?? 'unknown') : 'unknown'
  const requestId = response.headers.get('x-request-id') ?? ''
  const data = answer?.success === false ? answer.data : undefined
  return new ApiError({ status: response.status, code, serverMessage: answer?.message ?? '', requestId, data })
}

function totalOf({ headers }: Response): number | undefined {
  const written = headers.get(TOTAL_HEADER) ?? ''
  return /^\d{1,15}$/.test(written) ? Number(written) : undefined
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
    return await fetch(fillPath(endpoint.path, params) + queryText(query), {
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

function queryText(query: unknown): string {
  const given = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    (entry): entry is [string, string | number | boolean] =>
      ['string', 'number', 'boolean'].includes(typeof entry[1]) && entry[1] !== '',
  )
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? '' : `?${search}`
}

/** A proxy's error page is not an answer of ours. */
async function readAnswer(response: Response): Promise<Envelope | undefined> {
  try {
    const answer: unknown = await response.json()
    return typeof answer === 'object' && answer !== null && 'success' in answer ? (answer as Envelope) : undefined
  } catch {
    return undefined
  }
}
