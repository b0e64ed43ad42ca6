import type { WireError } from '../../canonical/errors.ts'
import { eventFrameOf, membersOf } from '../../sse/write-frame.ts'

/**
 * The last events of a stream that broke: official SDKs raise `error`, and Codex reads only `response.failed`. Neither can
 * know how many events went before it, so both are numbered as if none had. `error` is first: in a stream that was passed
 * on, the response has the vendor's id, and an SDK that met ours would complain of that instead.
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
