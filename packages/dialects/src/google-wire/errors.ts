import { asList, asText, asJsonObject, type JsonObject } from '../json/json-object.ts'
import type { WireError } from '../canonical/errors.ts'

/** Error object of a response. Google wraps the error of a stream that did not start in a list. */
export function readError(value: unknown): { error: WireError; status?: number } | undefined {
  const object = asJsonObject(Array.isArray(value) ? (value as unknown[])[0] : value)
  const found = object?.error
  if (found === undefined || found === null) return undefined
  const error = asJsonObject(found) ?? { message: asText(found) }
  const message = asText(error.message) || 'The upstream reported an error without a message.'
  const { code } = error
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : undefined
  return { error: { ...error, message }, ...(status !== undefined && { status }) }
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** Google's error format carries a stable reason in its details. */
export function renderError({ message, code, details }: WireError, status: number): JsonObject {
  const reason = typeof code === 'string' ? code : ''
  const all = [
    ...asList(details),
    ...(reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'tidegate' }] : []),
  ]
  return {
    error: {
      code: status,
      message,
      status: STATUS_NAMES[status] ?? 'UNKNOWN',
      ...(all.length > 0 && { details: all }),
    },
  }
}

/**
 * Sends the error twice: as an event, for SSE clients, and as bare JSON, as Google's servers do. Google's SDKs read an
 * event without candidates as an empty response and raise only bare JSON.
 */
export function errorFrame(error: WireError, status: number): string {
  const json = JSON.stringify(renderError(error, status))
  return `data: ${json}\n\n${json}\n`
}
