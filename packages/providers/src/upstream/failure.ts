import { asList, asText, asJsonObject, parseJsonObject, type JsonObject, type WireError } from '@tidegate/dialects'

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
const LONGEST_ERROR = 64 * 1024

export function parseError(text: string): JsonObject | undefined {
  return text.length > LONGEST_ERROR ? undefined : parseJsonObject(text)
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
    error: errorOfBody(body) ?? { message: `bad response status code ${status}`, ...frame },
    retryAfterSeconds: retryAfter(headers['retry-after']),
  })

  function errorOfBody(text: string): WireError | undefined {
    const tree = parseError(text)
    if (!tree) return undefined
    const error = asJsonObject(tree.error)
    if (error && typeof error.message === 'string' && error.message !== '') return error as unknown as WireError
    const message = firstMessage(tree)
    if (message === undefined) return undefined
    // A number is for the vendor's own record to read; clients are told the code they know.
    return { message, ...frame, ...(typeof tree.code === 'number' && { code: tree.code }) }
  }
}

/**
 * Builds the failure of an error inside a response that began as a success. Its status is the one that the provider gives,
 * also as a number in its code: it decides what the client may read.
 */
export function failureFromError(error: unknown, told?: number, otherwise = 502): UpstreamFailure {
  const tree = asJsonObject(error)
  const code = told ?? Number(tree?.status ?? tree?.code)
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : otherwise
  const message = asText(tree?.message) || asText(error) || 'The provider returned an error.'
  return new UpstreamFailure({ kind: 'answer', status, error: { ...tree, message } })
}

function firstMessage(tree: JsonObject): string | undefined {
  const candidates = [
    tree.message,
    tree.msg,
    tree.err,
    tree.error_msg,
    asJsonObject(tree.header)?.message,
    asJsonObject(asJsonObject(tree.response)?.error)?.message,
    asJsonObject(asList(tree.errors)[0])?.message,
    tree.detail,
    tree.error,
  ]
  return candidates.find((value): value is string => typeof value === 'string' && value !== '')
}

/** Seconds of a `Retry-After` header, in either of its two forms. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  const value = Array.isArray(header) ? header[0] : header
  if (value === undefined) return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}
