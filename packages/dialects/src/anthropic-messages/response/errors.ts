import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../canonical/errors.ts'
import { eventFrame } from '../../sse/write-frame.ts'

/** Error types of the API and their HTTP status. */
const STATUSES = new Map<unknown, number>([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

const TYPES_BY_STATUS = new Map<number, unknown>([...STATUSES].map(([type, status]) => [status, type]))

export function errorStatus(error: WireError): number | undefined {
  return STATUSES.get(error.type)
}

/** Error object of a response or an event, if it is an error. */
export function readError(body: JsonObject): WireError | undefined {
  const { error } = body
  if (typeof error === 'string' && error !== '') return { message: error }
  const object = asJsonObject(error)
  const message = asText(object?.message) || (body.type === 'error' ? asText(body.message) : '')
  if (!object) return body.type === 'error' ? { message: message || NO_MESSAGE } : undefined
  if (message === '' && !object.type && !object.code && body.type !== 'error') return undefined
  return { ...object, message: message || NO_MESSAGE }
}

const NO_MESSAGE = 'The upstream reported an error without a message.'

export function renderError(error: WireError, status: number, requestId?: string): JsonObject {
  const { code } = error
  const hasCode = (typeof code === 'string' && code !== '') || typeof code === 'number'
  return {
    type: 'error',
    error: {
      type: STATUSES.has(error.type) ? error.type : errorType(status),
      message: error.message,
      ...(hasCode && { code }),
    },
    ...(requestId !== undefined && { request_id: requestId }),
  }
}

export function errorFrame(error: WireError, status: number, requestId?: string): string {
  return eventFrame('error', renderError(error, status, requestId))
}

function errorType(status: number): unknown {
  if (status === 503) return 'overloaded_error'
  return TYPES_BY_STATUS.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
