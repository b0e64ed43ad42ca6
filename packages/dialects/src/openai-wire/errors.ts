import { asCount, asText, asJsonObject, type JsonObject } from '../json/json-object.ts'
import type { WireError } from '../canonical/errors.ts'
import { jsonFrame } from '../sse/write-frame.ts'

/** The error object of an answer, whole, when the answer is one. */
export function readError(body: JsonObject): WireError | undefined {
  const { error } = body
  if (error === undefined || error === null) return undefined
  if (typeof error === 'string' && error !== '') return { message: error }
  const object = asJsonObject(error)
  if (!object) return undefined
  const message = asText(object.message)
  // Some vendors send an empty error object with every good answer.
  if (message === '' && !object.code && !object.type) return undefined
  return { ...object, message: message || 'The upstream reported an error without a message.' }
}

/** The status a vendor would have answered with, had it known before it began. */
export function errorStatus({ status, code, type }: WireError): number | undefined {
  for (const value of [status, code]) {
    const number = asCount(typeof value === 'string' ? Number(value) : value)
    if (number >= 400 && number < 600) return number
  }
  return STATUSES[asText(code)] ?? STATUSES[asText(type)]
}

const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  model_not_found: 404,
  not_found_error: 404,
  insufficient_quota: 429,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  server_error: 500,
  internal_server_error: 500,
  overloaded: 503,
  overloaded_error: 503,
  engine_overloaded: 503,
  server_overloaded: 503,
  server_is_overloaded: 503,
  slow_down: 503,
}

/** OpenAI's error shape. Clients look for all four fields, so none is missing; a vendor of another shape gave no type. */
export function renderError(error: WireError): JsonObject {
  return {
    error: {
      ...error,
      message: error.message,
      type: error.type ?? 'upstream_error',
      param: error.param ?? null,
      code: error.code ?? null,
    },
  }
}

/** The last event of a stream that broke: clients raise it as an error, and no end mark follows. */
export function errorFrame(error: WireError): string {
  return jsonFrame(renderError(error))
}
