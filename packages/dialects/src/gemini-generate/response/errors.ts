import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../canonical/errors.ts'

/** The error of an answer, whole. Google wraps the body of a stream that never began into a list. */
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

/** Google's shape has a place for a stable reason, in the details. */
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
 * Said twice: as an event, for readers of event streams; and once more bare, as Google's own servers break off, because
 * its SDKs take an event without candidates for an answer with nothing in it and only raise what does not look like one.
 */
export function errorFrame(error: WireError, status: number): string {
  const json = JSON.stringify(renderError(error, status))
  return `data: ${json}\n\n${json}\n`
}
