import { asCount, asText, asJsonObject, type JsonObject } from '../json/json-object.ts'
import type { WireError } from '../canonical/errors.ts'
import { jsonFrame } from '../sse/write-frame.ts'

/** Error object of a response, if the response is an error. */
export function readError(body: JsonObject): WireError | undefined {
  const { error } = body
  if (error === undefined || error === null) return undefined
  if (typeof error === 'string' && error !== '') return { message: error }
  const object = asJsonObject(error)
  if (!object) return undefined
  const message = asText(object.message)
  // Some providers send an empty error object with every successful response.
  if (message === '' && !object.code && !object.type) return undefined
  return { ...object, message: message || 'The upstream reported an error without a message.' }
}

/** HTTP status that matches an error inside a stream. */
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

/** Error in OpenAI's format. Clients expect all four fields. Providers with another format send no type. */
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

/** Last event of a failed stream. Clients raise it as an error. No end marker follows. */
export function errorFrame(error: WireError): string {
  return jsonFrame(renderError(error))
}
