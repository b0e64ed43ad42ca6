import { LONG_WINDOW_SECONDS, type LimitsSite } from './limits-site.ts'
import { countBy, oddAnswers, offerCalls } from './send-requests.ts'

export interface CountPlan {
  calls: number
  atOnce: number
  limit: number
}

export interface Counted {
  offered: number
  admitted: number
  refused: number
  /** Calls that the upstream failed. */
  failed: number
  milliseconds: number
  short: string[]
}

/** How far a count may be off: one refills while a slow run lasts. */
const REFILLED = 1

/** Many calls against few requests allowed, on both gateways. */
export async function countRequests(site: LimitsSite, { calls, atOnce, limit }: CountPlan): Promise<Counted> {
  const { upstream, nodes } = site
  upstream.reset()
  const key = await site.newKey(windows(limit, 0))
  const startedAt = performance.now()

  const answers = await offerCalls({ nodes, key, calls, atOnce })

  const milliseconds = performance.now() - startedAt
  const admitted = countBy(answers, 200)
  const refused = countBy(answers, 429, 'token_rate_limited')
  const short = oddAnswers(answers, ['200', '429 token_rate_limited'])
  const reached = upstream.requests.length
  if (Math.abs(reached - limit) > REFILLED) short.push(`${reached} calls reached the upstream instead of ${limit}`)
  const letIn = answers.filter(({ status }) => status === 200)
  const told = new Set(letIn.map(({ headers }) => Number(headers['x-ratelimit-remaining-requests'])))
  // Each that came in was told another number, from all but one down to none.
  const missing = Array.from({ length: limit }, (_, left) => left).filter((left) => !told.has(left))
  if (missing.length > REFILLED) short.push(`nobody was told that ${missing.join(', ')} remain`)
  if (answers.some(({ status, headers }) => status === 429 && !(Number(headers['retry-after']) > 0))) {
    short.push('a refusal did not say when to come back')
  }
  return { offered: calls, admitted, refused, failed: 0, milliseconds, short }
}

/** The same where only answers count, and a third of the calls fail. */
export async function countSuccesses(site: LimitsSite, { calls, atOnce, limit }: CountPlan): Promise<Counted> {
  const { upstream, nodes } = site
  upstream.reset()
  upstream.when(({ sequence }) => sequence % 3 === 0, { status: 400 })
  const key = await site.newKey(windows(0, limit))
  const startedAt = performance.now()

  const answers = await offerCalls({ nodes, key, calls, atOnce })

  const milliseconds = performance.now() - startedAt
  upstream.reset()
  const admitted = countBy(answers, 200)
  const refused = countBy(answers, 429, 'token_rate_limited')
  const failed = answers.filter(({ status }) => status === 400).length
  const short: string[] = []
  if (Math.abs(admitted - limit) > REFILLED) short.push(`${admitted} calls succeeded instead of ${limit}`)
  if (failed === 0) short.push('no call failed')
  if (admitted + refused + failed !== calls) short.push(...oddAnswers(answers, ['200', '429 token_rate_limited']))
  return { offered: calls, admitted, refused, failed, milliseconds, short }
}

export function windows(requests: number, successes: number) {
  return {
    rate_limit_enabled: true,
    rate_limit_period: LONG_WINDOW_SECONDS,
    rate_limit_count: requests,
    rate_limit_success: successes,
  }
}
