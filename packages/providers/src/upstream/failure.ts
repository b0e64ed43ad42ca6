import { type ErrorCode, errorMessage, ERRORS } from '@tidegate/contract'
import { asJsonObject, asList, asText, type JsonObject, parseJsonObject, type WireError } from '@tidegate/dialects'

/**
 * Where a request failed: connecting, waiting, a lost connection, an error status, an invalid response, or aborted by
 * us.
 */
export type FailureKind = 'connect' | 'timeout' | 'reset' | 'status' | 'answer' | 'aborted'

/** Who caused a failure. Decides how channel health changes: `client` never counts against a channel. */
export const FAILURE_CLASSES = ['auth', 'credit', 'rate', 'server', 'client'] as const
export type FailureClass = (typeof FAILURE_CLASSES)[number]

interface FailureDetails {
  readonly kind: FailureKind
  /** The provider's status, or the one we return if there is none. */
  readonly status: number
  readonly error: WireError
  readonly retryAfterSeconds?: number
  /** The provider accepted the work and may bill it, so no other provider may be tried. */
  readonly accepted?: boolean
  readonly cause?: unknown
}

/** A provider did not return the requested response. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: FailureKind
  readonly status: number
  readonly error: WireError
  readonly retryAfterSeconds: number | undefined
  readonly accepted: boolean

  constructor({ kind, status, error, retryAfterSeconds, accepted = false, cause }: FailureDetails) {
    super(error.message, { cause })
    this.kind = kind
    this.status = status
    this.error = error
    this.retryAfterSeconds = retryAfterSeconds
    this.accepted = accepted
  }
}

/** Longer bodies are web pages or garbage. */
const MAX_ERROR_LENGTH = 64 * 1024

export function parseError(text: string): JsonObject | undefined {
  return text.length > MAX_ERROR_LENGTH ? undefined : parseJsonObject(text)
}

/** Creates the failure for a response with an error status, from any known error format. */
export function failureFromResponse(
  status: number,
  body: string,
  headers: Readonly<Record<string, string | string[] | undefined>> = {},
): UpstreamFailure {
  const frame = { type: 'upstream_error', param: String(status), code: 'bad_response_status_code' }
  return new UpstreamFailure({
    kind: 'status',
    status,
    error: readErrorBody(body) ?? { message: `bad response status code ${status}`, ...frame },
    retryAfterSeconds: readRetryAfter(headers['retry-after']),
  })

  function readErrorBody(text: string): WireError | undefined {
    const parsed = parseError(text)
    if (!parsed) return undefined
    const error = asJsonObject(parsed.error)
    if (error && typeof error.message === 'string' && error.message !== '') return error as unknown as WireError
    const message = firstMessage(parsed)
    if (message === undefined) return undefined
    // Numeric codes are for the provider's `classify`; clients see codes they know.
    return { message, ...frame, ...(typeof parsed.code === 'number' && { code: parsed.code }) }
  }
}

/**
 * The error inside a response or an event with a success status; undefined if there is none. Some providers send an
 * error without a value in every response.
 */
export function errorInBody(body: JsonObject): unknown {
  if (hasValue(body.error)) return body.error
  return body.type === 'error' ? body : undefined
}

const SIGNATURE_REJECTED =
  /invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking`? block|encrypted content\b.*could not be verified|thought.?signature is not valid|corrupted thought signature/is

/** The provider rejects the signature of thinking in the request: another account or model made it. */
export function rejectsThinking(failure: unknown): boolean {
  if (!(failure instanceof UpstreamFailure) || failure.status !== 400) return false
  const { code, message } = failure.error
  return code === 'invalid_encrypted_content' || SIGNATURE_REJECTED.test(message)
}

function hasValue(error: unknown): boolean {
  return typeof error === 'object' && error !== null ? Object.values(error).some(Boolean) : Boolean(error)
}

/**
 * Creates the failure for an error inside a response with a success status. Its status is the one the provider gives,
 * also as a numeric code. It decides what the client may see.
 */
export function failureFromError(error: unknown, knownStatus?: number, defaultStatus = 502): UpstreamFailure {
  const body = asJsonObject(error)
  const code = knownStatus ?? Number(body?.status ?? body?.code)
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : defaultStatus
  const message = asText(body?.message) || asText(error) || 'The provider returned an error.'
  return new UpstreamFailure({ kind: 'answer', status, error: { ...body, message } })
}

function firstMessage(body: JsonObject): string | undefined {
  const candidates = [
    body.message,
    body.msg,
    body.err,
    body.error_msg,
    asJsonObject(body.header)?.message,
    asJsonObject(asJsonObject(body.response)?.error)?.message,
    asJsonObject(asList(body.errors)[0])?.message,
    body.detail,
    body.error,
  ]
  return candidates.find((value): value is string => typeof value === 'string' && value !== '')
}

/** Seconds of a `Retry-After` header, which is a number or a date. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const value = Array.isArray(header) ? header[0] : header
  if (value === undefined) return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** Failures without a response of the provider: described by our error table, without the address. */
export const FAILURES = {
  connect: (cause: unknown) => gatewayFailure('connect', 'upstream_failed', cause),
  privateAddress: (cause: unknown) => gatewayFailure('connect', 'upstream_private_address', cause),
  egress: (cause: unknown) => gatewayFailure('connect', 'upstream_egress_not_allowed', cause),
  connectTimeout: (cause: unknown) => gatewayFailure('connect', 'upstream_timeout', cause),
  firstByte: () => gatewayFailure('timeout', 'upstream_timeout'),
  idle: () => gatewayFailure('timeout', 'upstream_timeout'),
  reset: (cause: unknown) => gatewayFailure('reset', 'upstream_failed', cause),
  interrupted: () => gatewayFailure('reset', 'stream_interrupted'),
  empty: () => gatewayFailure('answer', 'empty_response'),
  /** The request could not be prepared for this provider. */
  unprepared: (cause: unknown) => gatewayFailure('answer', 'upstream_failed', cause),
  /** The channel key is unusable; the provider would reject it. */
  unusableKey: (cause: unknown) => gatewayFailure('answer', 'upstream_account_error', cause, { status: 401 }),
  /** The provider finished the work, but its result could not be fetched. Another provider would be paid as well. */
  undelivered: (cause?: unknown) => gatewayFailure('answer', 'upstream_failed', cause, { accepted: true }),
  unreadable: (cause?: unknown) => gatewayFailure('answer', 'upstream_failed', cause),
  tooLarge: (cause: unknown) => gatewayFailure('answer', 'upstream_answer_too_large', cause),
  aborted: () => gatewayFailure('aborted', 'upstream_failed'),
}

const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ECONNABORTED',
])

/** Creates the failure for an error of the HTTP client. */
export function failureFromClientError(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error
  const code = codeOf(error)
  if (code === 'PRIVATE_ADDRESS') return FAILURES.privateAddress(error)
  if (code === 'EGRESS_NOT_ALLOWED') return FAILURES.egress(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return FAILURES.connectTimeout(error)
  // Certificates are checked while connecting: ERR_TLS_…, CERT_…, UNABLE_TO_VERIFY_…, DEPTH_ZERO_SELF_SIGNED_CERT
  if (CONNECT_CODES.has(code) || /TLS|CERT|VERIFY/.test(code)) return FAILURES.connect(error)
  return FAILURES.reset(error)
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

function gatewayFailure(
  kind: FailureKind,
  code: ErrorCode,
  cause?: unknown,
  changes: { status?: number; accepted?: true } = {},
): UpstreamFailure {
  const error = { message: errorMessage(code, 'en'), type: 'gateway_error', param: '', code }
  return new UpstreamFailure({ kind, status: ERRORS[code].status, error, cause, ...changes })
}

/** Statuses for providers that report errors with status 200. */
const STATUS_OF_CLASS: Readonly<Record<FailureClass, number>> = {
  auth: 401,
  credit: 402,
  rate: 429,
  client: 400,
  server: 502,
}

/** Creates the failure for an error that a provider reports in a successful response. */
export function failureInBody({
  failureClass,
  code,
  message,
  status = STATUS_OF_CLASS[failureClass],
}: {
  readonly failureClass: FailureClass
  readonly code: string
  readonly message: string
  /** The provider's own status, if it sends one. */
  readonly status?: number
}): UpstreamFailure {
  return new UpstreamFailure({
    kind: 'answer',
    status,
    error: {
      message: message || 'The upstream reported an error without a message.',
      type: 'upstream_error',
      param: null,
      code,
    },
  })
}
