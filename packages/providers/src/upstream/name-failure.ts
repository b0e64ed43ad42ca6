import { ERRORS, errorMessage, type ErrorCode } from '@tidegate/contract'
import { UpstreamFailure, type FailureKind } from './failure.ts'

/** Failures that have no words of a vendor: named by our own table, and without the address they were about. */
export const FAILURES = {
  connect: (cause: unknown) => ours('connect', 'upstream_failed', cause),
  privateAddress: (cause: unknown) => ours('connect', 'upstream_private_address', cause),
  egress: (cause: unknown) => ours('connect', 'upstream_egress_not_allowed', cause),
  connectTimeout: (cause: unknown) => ours('connect', 'upstream_timeout', cause),
  firstByte: () => ours('timeout', 'upstream_timeout'),
  idle: () => ours('timeout', 'upstream_timeout'),
  reset: (cause: unknown) => ours('reset', 'upstream_failed', cause),
  interrupted: () => ours('reset', 'stream_interrupted'),
  empty: () => ours('answer', 'empty_response'),
  /** The request could not be prepared for this provider. */
  unprepared: (cause: unknown) => ours('answer', 'upstream_failed', cause),
  /** The key of the channel cannot be used as it is: the provider would reject it. */
  unusableKey: (cause: unknown) => ours('answer', 'upstream_account_error', cause, 401),
  /** The provider finished the work, and its result could not be fetched: another provider would be paid as well. */
  undelivered: (cause?: unknown) =>
    new UpstreamFailure({ ...ours('answer', 'upstream_failed', cause), accepted: true }),
  unreadable: (cause?: unknown) => ours('answer', 'upstream_failed', cause),
  tooLarge: (cause: unknown) => ours('answer', 'upstream_answer_too_large', cause),
  aborted: () => ours('aborted', 'upstream_failed'),
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
export function failureOf(error: unknown): UpstreamFailure {
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

function ours(kind: FailureKind, code: ErrorCode, cause?: unknown, status?: number): UpstreamFailure {
  const error = { message: errorMessage(code, 'en'), type: 'gateway_error', param: '', code }
  return new UpstreamFailure({ kind, status: status ?? ERRORS[code].status, error, cause })
}
