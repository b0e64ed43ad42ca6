import type { IncomingMessage } from 'node:http'
import { until } from '../until.ts'
import type { LimitsSite } from './limits-site.ts'
import { countBy, oddAnswers, offerCalls, openCall } from './send-requests.ts'

export interface PlacesPlan {
  calls: number
  atOnce: number
  limit: number
}

export interface PlacesHeld {
  /** At the upstream, at any time. */
  mostAtOnce: number
  admitted: number
  refused: number
  /** Of those who came together after others had hung up. */
  admittedAfterHangUps: number
  short: string[]
}

const PATIENCE_MS = 60_000

/** More calls than may run at the same time; then streams whose clients hang up, all at once. */
export async function holdPlaces(site: LimitsSite, { calls, atOnce, limit }: PlacesPlan): Promise<PlacesHeld> {
  const { upstream, nodes } = site
  const key = await site.newKey({ max_concurrency: limit })
  const short: string[] = []
  upstream.reset()
  let mostAtOnce = 0
  upstream.always({ text: 'one two three', headersAfterMs: 400 })
  // The newest rule is asked first, and this one only looks.
  upstream.when(() => {
    mostAtOnce = Math.max(mostAtOnce, upstream.requests.filter(({ sent }) => sent.outcome === 'open').length)
    return false
  })

  const answers = await offerCalls({ nodes, key, calls, atOnce })
  short.push(...oddAnswers(answers, ['200', '429 token_concurrency_limited']))
  const admitted = countBy(answers, 200)
  const refused = countBy(answers, 429, 'token_concurrency_limited')
  if (mostAtOnce > limit) short.push(`${mostAtOnce} calls were at the upstream at the same time`)
  if (mostAtOnce < limit) short.push(`there were never more than ${mostAtOnce} calls at the same time`)
  if (answers.some(({ status, headers }) => status === 429 && headers['retry-after'] !== '1')) {
    short.push('a refusal did not say to come back after a second')
  }
  if (!(await site.untilQuiet())) short.push('calls stayed open')

  upstream.reset()
  upstream.always({ text: 'one two three four', stallAfterEvents: 3 })
  const first = await fill(limit)
  if (first.refused > 0) short.push(`${first.refused} of ${limit} streams found no place when nothing ran`)
  const tooMany = await fill(1)
  if (tooMany.refused !== 1) short.push('one stream too many found a place')
  first.hangUp()
  await until(() => upstream.requests.filter(({ sent }) => sent.outcome === 'aborted').length >= limit, PATIENCE_MS)
  if (!(await site.untilQuiet())) short.push('streams stayed open after their clients had hung up')
  const second = await fill(limit)
  const admittedAfterHangUps = limit - second.refused
  if (second.refused > 0) short.push(`${second.refused} places were not free after the clients had hung up`)
  second.hangUp()
  await site.untilQuiet()
  upstream.reset()
  return { mostAtOnce, admitted, refused, admittedAfterHangUps, short }

  async function fill(count: number) {
    const hangUps = new AbortController()
    const open = await Promise.all(
      Array.from({ length: count }, (_, call) =>
        openCall({ url: nodes[call % nodes.length]!.url, key, stream: true, signal: hangUps.signal }),
      ),
    )
    for (const response of open) response.on('error', () => {}).resume()
    return {
      refused: open.filter(({ statusCode }: IncomingMessage) => statusCode !== 200).length,
      hangUp: () => hangUps.abort(),
    }
  }
}
