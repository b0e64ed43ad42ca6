import type { Settings } from '@tidegate/contract'
import type { FailureClass, UpstreamFailure } from '@tidegate/providers'

type RetrySettings = Pick<
  Settings,
  'RetryTimes' | 'global.auto_retry_enabled' | 'global.auto_retry_count' | 'global.auto_retry_status_codes'
>

/** The maximum number of attempts of a request. */
export function maxAttempts(settings: RetrySettings): number {
  return 1 + (settings['global.auto_retry_enabled'] ? settings['global.auto_retry_count'] : settings.RetryTimes)
}

/** Whether another attempt may succeed. Called only while nothing has reached the client. */
export function mayRetry(settings: RetrySettings, failure: UpstreamFailure, fault: FailureClass): boolean {
  if (failure.kind === 'aborted' || failure.accepted) return false
  const hasStatus = failure.kind === 'status'
  if (settings['global.auto_retry_enabled']) {
    // A broken connection and an empty response count as a 500.
    const status = hasStatus ? failure.status : 500
    return matches(settings['global.auto_retry_status_codes'], status) && !(hasStatus && isTimeout(failure))
  }
  // Some providers return 400 for an empty account: then the request is not at fault.
  return !hasStatus || !NOT_RETRIED.has(failure.status) || (failure.status === 400 && fault !== 'client')
}

/** The request itself is at fault, or it succeeded. */
const NOT_RETRIED = new Set([200, 201, 202, 204, 400])
const TIMEOUTS = new Set([408, 504, 524])

function isTimeout({ status, error }: UpstreamFailure): boolean {
  return TIMEOUTS.has(status) && error.message !== '' && !/empty/i.test(error.message)
}

/** Patterns such as `5xx`, where x is any digit. An empty list matches every status. */
function matches(patterns: readonly string[], status: number): boolean {
  if (patterns.length === 0) return true
  const digits = String(status)
  return patterns.some(
    (pattern) =>
      pattern.length === digits.length && [...pattern].every((sign, at) => sign === 'x' || sign === digits[at]),
  )
}
