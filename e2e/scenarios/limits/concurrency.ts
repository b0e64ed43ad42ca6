import type { IncomingMessage } from 'node:http'
import { until } from '../until.ts'
import type { LimitsSite } from './limits-site.ts'
import { countBy, unexpectedResponses, sendRequests, openRequest } from './send-requests.ts'

export interface ConcurrencyPlan {
  requests: number
  concurrency: number
  limit: number
}

export interface ConcurrencyResult {
  /** The most concurrent requests at the upstream. */
  maxConcurrent: number
  admitted: number
  rejected: number
  /** Concurrent requests after the others were aborted. */
  admittedAfterAborts: number
  failures: string[]
}

const TIMEOUT_MS = 60_000

/** Sends more requests than may run concurrently, then streams that their clients abort all at once. */
export async function checkConcurrency(
  site: LimitsSite,
  { requests, concurrency, limit }: ConcurrencyPlan,
): Promise<ConcurrencyResult> {
  const { upstream, nodes } = site
  const key = await site.newKey({ max_concurrency: limit })
  const failures: string[] = []
  upstream.reset()
  let maxConcurrent = 0
  upstream.always({ text: 'one two three', headersAfterMs: 400 })
  // The newest rule is evaluated first. This one only observes.
  upstream.when(() => {
    maxConcurrent = Math.max(maxConcurrent, upstream.requests.filter(({ sent }) => sent.outcome === 'open').length)
    return false
  })

  const responses = await sendRequests({ nodes, key, requests, concurrency })
  failures.push(...unexpectedResponses(responses, ['200', '429 token_concurrency_limited']))
  const admitted = countBy(responses, 200)
  const rejected = countBy(responses, 429, 'token_concurrency_limited')
  if (maxConcurrent > limit) failures.push(`${maxConcurrent} calls were at the upstream at the same time`)
  if (maxConcurrent < limit) failures.push(`there were never more than ${maxConcurrent} calls at the same time`)
  if (responses.some(({ status, headers }) => status === 429 && headers['retry-after'] !== '1')) {
    failures.push('a rejection did not say to retry after a second')
  }
  if (!(await site.untilQuiet())) failures.push('calls stayed open')

  upstream.reset()
  upstream.always({ text: 'one two three four', stallAfterEvents: 3 })
  const first = await openAll()
  if (first.opened < limit) failures.push(`only ${first.opened} of ${limit} streams found a place when nothing ran`)
  const tooMany = await openStreams(1)
  if (tooMany.rejected !== 1) failures.push('one stream too many found a place')
  first.hangUp()
  await until(() => upstream.requests.filter(({ sent }) => sent.outcome === 'aborted').length >= limit, TIMEOUT_MS)
  if (!(await site.untilQuiet())) failures.push('streams stayed open after their clients had hung up')
  const second = await openAll()
  const left = limit - second.opened
  if (left > 0) failures.push(`${left} leases were not free after the clients had disconnected`)
  second.hangUp()
  await site.untilQuiet()
  upstream.reset()
  return { maxConcurrent, admitted, rejected, admittedAfterAborts: second.opened, failures }

  /** As many as may run. A process that does not know the others yet keeps a free lease for about a second. */
  async function openAll() {
    const batches: Awaited<ReturnType<typeof openStreams>>[] = []
    let opened = 0
    await until(async () => {
      const missing = limit - opened
      const streams = await openStreams(missing)
      batches.push(streams)
      opened += missing - streams.rejected
      return opened === limit
    }, TIMEOUT_MS)
    return { opened, hangUp: () => batches.forEach((batch) => batch.hangUp()) }
  }

  async function openStreams(count: number) {
    const aborts = new AbortController()
    const open = await Promise.all(
      Array.from({ length: count }, (_, request) =>
        openRequest({ url: nodes[request % nodes.length]!.url, key, stream: true, signal: aborts.signal }),
      ),
    )
    for (const response of open) response.on('error', () => {}).resume()
    return {
      rejected: open.filter(({ statusCode }: IncomingMessage) => statusCode !== 200).length,
      hangUp: () => aborts.abort(),
    }
  }
}
