import { LONG_WINDOW_SECONDS, type LimitsSite } from './limits-site.ts'
import { countBy, unexpectedResponses, sendRequests } from './send-requests.ts'

export interface CountPlan {
  requests: number
  concurrency: number
  limit: number
}

export interface CountResult {
  offered: number
  admitted: number
  rejected: number
  /** Requests that failed at the upstream. */
  failed: number
  milliseconds: number
  failures: string[]
}

/** The tolerance of a count: one request refills during a slow run. */
const REFILLED = 1

/** Sends many requests against a low request limit, on both gateways. */
export async function countRequests(
  site: LimitsSite,
  { requests, concurrency, limit }: CountPlan,
): Promise<CountResult> {
  const { upstream, nodes } = site
  upstream.reset()
  const key = await site.newKey(windows(limit, 0))
  const startedAt = performance.now()

  const responses = await sendRequests({ nodes, key, requests, concurrency })

  const milliseconds = performance.now() - startedAt
  const admitted = countBy(responses, 200)
  const rejected = countBy(responses, 429, 'token_rate_limited')
  const failures = unexpectedResponses(responses, ['200', '429 token_rate_limited'])
  const reached = upstream.requests.length
  if (Math.abs(reached - limit) > REFILLED) failures.push(`${reached} calls reached the upstream instead of ${limit}`)
  const letIn = responses.filter(({ status }) => status === 200)
  const remaining = new Set(letIn.map(({ headers }) => Number(headers['x-ratelimit-remaining-requests'])))
  // Every accepted request gets another remaining count, from the limit minus one down to zero.
  const missing = Array.from({ length: limit }, (_, left) => left).filter((left) => !remaining.has(left))
  if (missing.length > REFILLED) failures.push(`no response reported ${missing.join(', ')} as remaining`)
  if (responses.some(({ status, headers }) => status === 429 && !(Number(headers['retry-after']) > 0))) {
    failures.push('a rejection did not say when to retry')
  }
  return { offered: requests, admitted, rejected, failed: 0, milliseconds, failures }
}

/** The same for a limit on successful requests, while a third of the requests fail. */
export async function countSuccesses(
  site: LimitsSite,
  { requests, concurrency, limit }: CountPlan,
): Promise<CountResult> {
  const { upstream, nodes } = site
  upstream.reset()
  upstream.when(({ sequence }) => sequence % 3 === 0, { status: 400 })
  const key = await site.newKey(windows(0, limit))
  const startedAt = performance.now()

  const responses = await sendRequests({ nodes, key, requests, concurrency })

  const milliseconds = performance.now() - startedAt
  upstream.reset()
  const admitted = countBy(responses, 200)
  const rejected = countBy(responses, 429, 'token_rate_limited')
  const failed = responses.filter(({ status }) => status === 400).length
  const failures: string[] = []
  if (Math.abs(admitted - limit) > REFILLED) failures.push(`${admitted} calls succeeded instead of ${limit}`)
  if (failed === 0) failures.push('no call failed')
  if (admitted + rejected + failed !== requests)
    failures.push(...unexpectedResponses(responses, ['200', '429 token_rate_limited']))
  return { offered: requests, admitted, rejected, failed, milliseconds, failures }
}

export function windows(requests: number, successes: number) {
  return {
    rate_limit_enabled: true,
    rate_limit_period: LONG_WINDOW_SECONDS,
    rate_limit_count: requests,
    rate_limit_success: successes,
  }
}
