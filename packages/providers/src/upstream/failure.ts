import { type ErrorCode, errorMessage, ERRORS } from '@tidegate/contract'
import { asJsonObject, asList, asText, type JsonObject, parseJsonObject, type WireError } from '@tidegate/dialects'

/**
 * Where an exchange with a vendor broke: no connection, no answer in time, a connection lost, an answer that is an
 * error, an answer that makes no sense, or our own side hanging up.
 */
export type FailureKind = 'connect' | 'timeout' | 'reset' | 'status' | 'answer' | 'aborted'

/** Whose fault it is: decides what a health check makes of it. A client's fault never counts against a channel. */
export type FailureClass = 'auth' | 'credit' | 'rate' | 'server' | 'client'

interface FailureDetails {
  readonly kind: FailureKind
  /** As the vendor sent it, or the one we would give for a failure that has none. */
  readonly status: number
  readonly error: WireError
  readonly retryAfterSeconds?: number
  /** The provider accepted the work and may still bill it: nobody else may be asked. */
  readonly accepted?: boolean
  readonly cause?: unknown
}

/** A vendor did not give what was asked of it. */
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

/** Errors are short: what is longer is somebody's page, or no good. */
const MAX_ERROR_LENGTH = 64 * 1024

export function parseError(text: string): JsonObject | undefined {
  return text.length > MAX_ERROR_LENGTH ? undefined : parseJsonObject(text)
}

/** Builds the failure of an answer whose status is not a success, from whatever words its body has. */
export function failureFromAnswer(
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
    // A number is for the vendor's own record to read; clients are told the code they know.
    return { message, ...frame, ...(typeof parsed.code === 'number' && { code: parsed.code }) }
  }
}

/**
 * Builds the failure of an error inside a response that began as a success. Its status is the one that the provider gives,
 * also as a number in its code: it decides what the client may read.
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

/** Seconds of a `Retry-After` header, in either of its two forms. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const value = Array.isArray(header) ? header[0] : header
  if (value === undefined) return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** Failures that have no words of a vendor: named by our own table, and without the address they were about. */
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
  /** The key of the channel cannot be used as it is: the provider would reject it. */
  unusableKey: (cause: unknown) => gatewayFailure('answer', 'upstream_account_error', cause, 401),
  /** The provider finished the work, and its result could not be fetched: another provider would be paid as well. */
  undelivered: (cause?: unknown) =>
    new UpstreamFailure({ ...gatewayFailure('answer', 'upstream_failed', cause), accepted: true }),
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

/** Names an error of the HTTP client by where the exchange broke. */
export function failureFromClientError(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error
  const code = codeOf(error)
  if (code === 'PRIVATE_ADDRESS') return FAILURES.privateAddress(error)
  if (code === 'EGRESS_NOT_ALLOWED') return FAILURES.egress(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return FAILURES.connectTimeout(error)
  // Certificates are refused while connecting: ERR_TLS_…, CERT_…, UNABLE_TO_VERIFY_…, DEPTH_ZERO_SELF_SIGNED_CERT
  if (CONNECT_CODES.has(code) || /TLS|CERT|VERIFY/.test(code)) return FAILURES.connect(error)
  return FAILURES.reset(error)
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

function gatewayFailure(kind: FailureKind, code: ErrorCode, cause?: unknown, status?: number): UpstreamFailure {
  const error = { message: errorMessage(code, 'en'), type: 'gateway_error', param: '', code }
  return new UpstreamFailure({ kind, status: status ?? ERRORS[code].status, error, cause })
}

/** What the vendor would have answered with, had it known statuses. */
const STATUS_OF_CLASS: Readonly<Record<FailureClass, number>> = {
  auth: 401,
  credit: 402,
  rate: 429,
  client: 400,
  server: 502,
}

/** A vendor's word, inside an answer that looks like a success, that it was none. */
export function failureInBody({
  failureClass,
  code,
  message,
  status = STATUS_OF_CLASS[failureClass],
}: {
  readonly failureClass: FailureClass
  readonly code: string
  readonly message: string
  /** As the vendor tells it, where it does. */
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
