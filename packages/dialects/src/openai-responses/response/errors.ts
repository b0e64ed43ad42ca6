import type { WireError } from '../../canonical/errors.ts'
import { eventFrameOf, membersOf } from '../../sse/write-frame.ts'

/**
 * Last events of a failed stream. Official SDKs raise `error`; Codex reads only `response.failed`. The number of
 * earlier events is unknown, so both have number 0. `error` is first: in a forwarded stream the response has the
 * provider's id, and an SDK would report the different id instead.
 */
export function errorFrame({ code, message, param }: WireError, _status: number, requestId = 'error'): string {
  const failed = {
    response: {
      id: `resp_${requestId}`,
      object: 'response',
      status: 'failed',
      output: [],
      error: { code: textOrNull(code) ?? 'server_error', message },
    },
    sequence_number: 0,
  }
  const error = { code: textOrNull(code), message, param: textOrNull(param), sequence_number: 0 }
  return eventFrameOf('error', membersOf(error)) + eventFrameOf('response.failed', membersOf(failed))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
