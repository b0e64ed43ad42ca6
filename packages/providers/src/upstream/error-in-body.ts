import { UpstreamFailure, type FailureClass } from './failure.ts'

/** What the vendor would have answered with, had it known statuses. */
const STATUSES: Readonly<Record<FailureClass, number>> = { auth: 401, credit: 402, rate: 429, client: 400, server: 502 }

/** A vendor's word, inside an answer that looks like a success, that it was none. */
export function failureInside({
  fault,
  code,
  message,
  status = STATUSES[fault],
}: {
  readonly fault: FailureClass
  readonly code: string
  readonly message: string
  /** As the vendor tells it, where it does. */
  readonly status?: number
}): UpstreamFailure {
  return new UpstreamFailure({
    kind: 'answer',
    status,
    error: {
      message: message || 'The upstream reported an error without a message.',
      type: 'upstream_error',
      param: null,
      code,
    },
  })
}
