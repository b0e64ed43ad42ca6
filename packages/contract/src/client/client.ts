import type { BodyInput, Endpoint, Envelope, QueryInput, ReplyOf } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'

export interface ClientOptions {
  /** Base URL of the site: `https://gateway.example`. */
  url: string
  /** An automation token, `tgc_…`. */
  token: string
  /** Language of messages; English by default. */
  language?: 'en' | 'zh'
  /** Maximum number of attempts for calls that are safe to retry. */
  tries?: number
  fetch?: typeof fetch
}

export interface CallInput<E extends Endpoint> {
  /** Values of path parameters. */
  path?: Record<string, string | number>
  query?: Partial<QueryInput<E>>
  body?: BodyInput<E>
  /**
   * Idempotency key. Pass one to make restarts of a program safe; by default each call gets a random one for its
   * retries.
   */
  idempotencyKey?: string
  signal?: AbortSignal
}

export interface Client {
  /** Calls an endpoint: `call(api.createUser, { body })`. Throws `TidegateError` on an error response. */
  call<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<ReplyOf<E>>
}

export function createClient(options: ClientOptions): Client {
  const { token, language = 'en', tries = 3, fetch: send = fetch } = options
  return {
    async call(endpoint, input = {}) {
      const key = sendsIdempotencyKey(endpoint) ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined
      const request = {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${token}`,
          'accept-language': language,
          ...(input.body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: input.body === undefined ? null : JSON.stringify(input.body),
        signal: input.signal ?? null,
      }
      const attempts = endpoint.method === 'GET' || key !== undefined ? tries : 1
      const response = await retry(() => send(urlOf(options.url, endpoint, input), request), attempts, input.signal)
      return (await readResponse(endpoint, response)) as ReplyOf<typeof endpoint>
    },
  }
}

/** Endpoints for which the server stores the response under an idempotency key. */
function sendsIdempotencyKey({ method, access, proof }: Endpoint): boolean {
  return method === 'POST' && access !== 'public' && access !== 'visitor' && !proof
}

function urlOf(url: string, endpoint: Endpoint, { path = {}, query = {} }: CallInput<Endpoint>): URL {
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (path[name] === undefined) throw new TypeError(`${endpoint.path} needs path.${name}`)
    return encodeURIComponent(path[name])
  })
  const address = new URL(url.replace(/\/+$/, '') + filled)
  const parameters: Record<string, string | number | boolean | null | undefined> = query
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value))
  }
  return address
}

/** Files are returned as text. Other responses are an envelope, or bare JSON. */
async function readResponse(endpoint: Endpoint, response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  if (!isJson) {
    const text = await response.text()
    if (response.ok && endpoint.bare) return text
    throw new TidegateError(`${endpoint.method} ${endpoint.path} returned ${response.status}`, response)
  }
  const envelope = (await response.json()) as Envelope
  if ('success' in envelope && !envelope.success && envelope.code !== undefined) {
    throw new TidegateError(envelope.message, { status: response.status, code: envelope.code, data: envelope.data })
  }
  if (!response.ok) throw new TidegateError(`${endpoint.method} ${endpoint.path} returned ${response.status}`, response)
  return endpoint.bare ? envelope : (envelope as { data?: unknown }).data
}

/** Temporary errors: busy, restarting, or the same call still in progress. */
const RETRYABLE_STATUSES = new Set([409, 429, 502, 503, 504])
const MAX_WAIT_MS = 30_000

/** Retries network errors and temporary errors, after `Retry-After` or with exponential backoff. */
async function retry(send: () => Promise<Response>, tries: number, signal: AbortSignal | undefined): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= tries
    const pause = 250 * 2 ** attempt
    try {
      const response = await send()
      const retryAfter = response.headers.get('retry-after')
      // A conflict without `Retry-After` is permanent.
      const isRetryable = RETRYABLE_STATUSES.has(response.status) && (response.status !== 409 || retryAfter !== null)
      if (isLast || !isRetryable) return response
      await response.body?.cancel()
      await wait(retryAfter === null ? pause : Number(retryAfter) * 1000, signal)
    } catch (error) {
      if (isLast || signal?.aborted) throw error
      await wait(pause, signal)
    }
  }
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(milliseconds || 0, MAX_WAIT_MS))
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** An error response. Programs check `code`; `message` is for people. */
export class TidegateError extends Error {
  override readonly name = 'TidegateError'
  readonly status: number
  /** Undefined if a proxy sent the response. */
  readonly code: ErrorCode | undefined
  /** Data of the error, such as a login ticket. */
  readonly data: unknown

  constructor(message: string, { status, code, data }: { status: number; code?: ErrorCode; data?: unknown }) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}
