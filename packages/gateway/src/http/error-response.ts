import { ApiError, type ErrorCode, errorMessage, type Language } from '@tidegate/contract'
import { DialectError, type WireError } from '@tidegate/dialects'
import { type TaskKind, UpstreamFailure } from '@tidegate/providers'
import type { ApiRequest } from './api-request.ts'
import { contextForm, errorForm, isFinal, isOperatorCode } from './error-forms.ts'

/** An error as the client receives it. */
interface ErrorResponse {
  readonly status: number
  readonly error: WireError
  readonly retryAfterSeconds?: number
  /** A retry cannot succeed. */
  readonly isFinal?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

type ErrorContext = Pick<ApiRequest, 'requestId' | 'language' | 'writer' | 'dialect' | 'endpoint' | 'request'>

/** Responds with an error in the caller's protocol: as an event when a stream is open, else with its status. */
export function sendError(incoming: ErrorContext, failure: unknown): ErrorResponse {
  const rendered = renderError(failure, incoming)
  const { status, error, headers } = rendered
  const { ofConsole } = incoming.endpoint
  const requestId = rendered.isFinal ? undefined : incoming.requestId
  if (incoming.writer.streaming) {
    // Clients of the protocol stop at an error; the console reads on to the end mark.
    incoming.writer.end(incoming.dialect.errorFrame(error, status, requestId) + (ofConsole ? END_MARK : ''))
  } else {
    const own =
      incoming.endpoint.kind === 'task' ? taskErrorBody(incoming.endpoint.action.task, rendered, failure) : undefined
    const body = own?.body ?? incoming.dialect.renderError(error, status, requestId)
    incoming.writer.sendJson(own?.status ?? status, ofConsole ? withEnvelope(error, body) : body, headers)
  }
  return rendered
}

const END_MARK = 'data: [DONE]\n\n'

/** A process that restarts, or a database that was away for a moment. */
const SHORT_OUTAGE_SECONDS = 1

/**
 * Renders an error in the caller's language and in the form that its client expects. A retryable error contains the
 * request id. A final one does not: clients search bodies for numbers such as 429, which an id may contain.
 */
function renderError(
  failure: unknown,
  incoming: Pick<ErrorContext, 'requestId' | 'language' | 'dialect' | 'endpoint' | 'request'>,
): ErrorResponse {
  const known = toKnownError(failure)
  const plain = describeError(known, incoming.language)
  const code = ownCode(known)
  const {
    status,
    error,
    headers,
    isFinal: final = isFinal(status),
  } = usesOwnCodes(incoming) ? plain : inForm(plain, known, incoming)
  const {
    retryAfterSeconds: retryAfter = known instanceof ApiError && status === 503 ? SHORT_OUTAGE_SECONDS : undefined,
  } = plain
  return {
    status,
    isFinal: final,
    error: final ? error : { ...error, message: `${error.message} (request id: ${incoming.requestId})` },
    headers: {
      ...(code && { 'x-tidegate-error': code }),
      ...(final && { 'x-should-retry': 'false' }),
      ...(!final && retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
  }
}

/** The console, and clients of image and music tasks, read the gateway's own codes. */
function usesOwnCodes({ endpoint }: Pick<ApiRequest, 'endpoint'>): boolean {
  if (endpoint.ofConsole) return true
  return endpoint.kind === 'task' && endpoint.action.task !== 'video'
}

function inForm(
  plain: ErrorResponse,
  failure: ApiError | UpstreamFailure,
  { dialect, request }: Pick<ApiRequest, 'dialect' | 'request'>,
): ErrorResponse {
  const { retryAfterSeconds } = failure
  const code = ownCode(failure)
  const known = code && errorForm({ code, dialect: dialect.id, headers: request.headers, retryAfterSeconds })
  const tooLong = failure instanceof UpstreamFailure ? tooLongForm(failure, dialect) : undefined
  const form = known ?? tooLong?.form
  if (!form) return plain
  const details = failure instanceof ApiError ? failure.details : (tooLong?.details ?? {})
  const { status = plain.status, headers = {}, message, isFinal: final = isFinal(status), ...fields } = form
  const error = { ...plain.error, ...fields, message: message?.(plain.error.message, details) ?? plain.error.message }
  return { status, error, isFinal: final, headers }
}

/** Our code, also where a channel's failure is for the operator to fix. */
function ownCode(failure: ApiError | UpstreamFailure): ErrorCode | undefined {
  if (failure instanceof ApiError) return failure.code
  return isOperatorCode(failure.error.code) ? failure.error.code : undefined
}

/** The provider's error decides, also if the operator hides it. A status that the operator mapped is kept. */
function tooLongForm(failure: UpstreamFailure, { id }: ApiRequest['dialect']): ReturnType<typeof contextForm> {
  const provider = originalOf(failure)
  return provider.status === failure.status ? contextForm(provider, failure.error, id) : undefined
}

/** The failure before it was prepared for the client. */
function originalOf(failure: UpstreamFailure): UpstreamFailure {
  return failure.cause instanceof UpstreamFailure ? failure.cause : failure
}

/** The console expects the error format of `/api` and that of chats: one body has both. */
function withEnvelope({ message, code }: WireError, body: object): object {
  return { success: false, message, code, ...body }
}

/** Turns any failure into an error of the table, or into the provider's. */
export function toKnownError(failure: unknown): ApiError | UpstreamFailure {
  if (failure instanceof ApiError || failure instanceof UpstreamFailure) return failure
  if (!(failure instanceof DialectError)) return new ApiError('internal_error', {}, { cause: failure })
  switch (failure.code) {
    case 'invalid_request':
      return new ApiError('invalid_text_request', { reason: failure.message })
    case 'cannot_express':
      return new ApiError('convert_request_failed', { reason: failure.message })
    default:
      return new ApiError(failure.code)
  }
}

/** The message and code of a failure, without a request id. */
export function describeError(cause: unknown, language: Language): ErrorResponse {
  const failure = toKnownError(cause)
  const { status, retryAfterSeconds } = failure
  if (failure instanceof UpstreamFailure) return { status, retryAfterSeconds, error: failure.error }
  const message = errorMessage(failure.code, language, failure.details)
  const known = PROVIDER_FORMS[failure.code]
  if (known) return { status, error: { message, type: 'invalid_request_error', ...known } }
  return { status, retryAfterSeconds, error: { message, type: 'gateway_error', param: '', code: failure.code } }
}

/** Errors that clients know from OpenAI, in its form. */
const PROVIDER_FORMS: Partial<Record<ErrorCode, { readonly param: string | null; readonly code: string | null }>> = {
  not_found: { param: '', code: '' },
  previous_response_not_found: { param: 'previous_response_id', code: 'previous_response_not_found' },
  websocket_connection_limit_reached: { param: null, code: 'websocket_connection_limit_reached' },
  response_not_found: { param: null, code: null },
  stored_item_not_found: { param: 'input', code: null },
  conversation_not_found: { param: null, code: null },
  file_not_found: { param: 'id', code: null },
  batch_not_found: { param: null, code: null },
}

/** Codes of Midjourney proxies: a request that cannot be served, and a busy site. */
const CODE = { rejected: 4, busy: 30 }

/** An error in the format of each kind of task. Without a body for clients that read OpenAI's format. */
function taskErrorBody(
  task: TaskKind,
  { status, error }: Pick<ErrorResponse, 'status' | 'error'>,
  failure: unknown,
): { status: number; body?: object } {
  switch (task) {
    case 'drawing': {
      const code = providerCode(failure) ?? (status === 429 || status === 503 ? CODE.busy : CODE.rejected)
      return {
        status: code === CODE.busy ? 429 : failure instanceof UpstreamFailure ? 400 : status,
        body: { code, description: error.message, type: 'upstream_error', reason: error.code },
      }
    }
    case 'music':
      return { status, body: { code: error.code, message: error.message, data: null } }
    case 'video':
      return { status: error.code === 'task_not_exist' ? 404 : status }
  }
}

/** The provider's original code, which the error for the client no longer has. */
function providerCode(failure: unknown): number | undefined {
  const code = failure instanceof UpstreamFailure ? Number(originalOf(failure).error.code) : NaN
  return Number.isInteger(code) ? code : undefined
}
