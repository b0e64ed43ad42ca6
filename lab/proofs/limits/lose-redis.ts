import type { RunningServer } from '@tidegate/testing'
import { until } from '@tidegate/e2e/scenarios/until.ts'
import { windows } from '@tidegate/e2e/scenarios/limits/count-requests.ts'
import type { LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import {
  countBy,
  unexpectedResponses,
  sendRequest,
  sendRequests,
  type ChatResponse,
} from '@tidegate/e2e/scenarios/limits/send-requests.ts'

export interface LossPlan {
  requests: number
  concurrency: number
  limit: number
}

export interface RedisLossResult {
  /** Accepted with Redis stopped in the middle: limits are shared before, and divided after. */
  admittedMidway: number
  /** Accepted by each process while Redis is down. */
  admittedAway: number[]
  /** Accepted by both together when it is back. */
  admittedAfter: number
  rejectedForCredit: string
  failures: string[]
}

const BACK_WITHIN_MS = 15_000
const LOST = 'ratelimit.local'
const FOUND = 'ratelimit.shared'
const EXPECTED = ['200', '429 token_rate_limited']

/** Redis stops during requests, stays down, and comes back. */
export async function loseRedis(
  site: LimitsSite,
  { requests, concurrency, limit }: LossPlan,
): Promise<RedisLossResult> {
  const { upstream, redis, nodes } = site
  const [keyMidway, keyAway, keyAfter, poor, keyPlain] = await Promise.all([
    site.newKey(windows(limit, 0)),
    site.newKey(windows(limit, 0)),
    site.newKey(windows(limit, 0)),
    site.newKey({ unlimited_quota: false, remain_quota: 1, ...windows(limit, 0) }),
    site.newKey(windows(1_000_000, 0)),
  ])
  upstream.reset()
  const failures: string[] = []
  const share = Math.floor(limit / nodes.length)

  let stopped: Promise<void> | undefined
  const midway = await sendRequests({
    nodes,
    key: keyMidway,
    requests,
    concurrency,
    received: (_, count) => {
      if (count === Math.floor(limit / 2)) stopped = redis.stop()
    },
  })
  await stopped
  const admittedMidway = countBy(midway, 200)
  failures.push(...unexpectedResponses(midway, EXPECTED))
  expectBetween(failures, 'accepted while Redis stopped', admittedMidway, share, limit + nodes.length)

  const away = await sendRequests({ nodes, key: keyAway, requests, concurrency })
  failures.push(...unexpectedResponses(away, EXPECTED))
  const admittedAway = nodes.map((node) => admittedBy(node, away))
  for (const admitted of admittedAway) expectBetween(failures, 'accepted by one process', admitted, share, share + 1)

  const rejected = await sendRequest({ url: nodes[1]!.url, key: poor, content: 'more than one can pay' })
  if (rejected.status !== 402) failures.push(`a request without credit got ${rejected.status} ${rejected.code}`)

  await redis.start()
  for (const node of nodes) {
    const isBack = await until(async () => {
      await sendRequest({ url: node.url, key: keyPlain })
      return countLogLines(node, FOUND) > 0
    }, BACK_WITHIN_MS)
    if (!isBack) failures.push('a process did not return to Redis')
  }
  const after = await sendRequests({ nodes, key: keyAfter, requests, concurrency })
  failures.push(...unexpectedResponses(after, EXPECTED))
  const admittedAfter = countBy(after, 200)
  expectBetween(failures, 'accepted after Redis was back', admittedAfter, limit - 1, limit + 1)
  // The other process also has a limiter for its console.
  const mentions = countLogLines(nodes[1]!, LOST)
  if (mentions !== 1) failures.push(`the loss of Redis was logged ${mentions} times`)
  return { admittedMidway, admittedAway, admittedAfter, rejectedForCredit: rejected.code, failures }
}

function admittedBy({ url }: RunningServer, responses: readonly ChatResponse[]): number {
  return responses.filter((response) => response.status === 200 && response.url === url).length
}

function countLogLines({ logs }: RunningServer, code: string): number {
  return logs.filter(({ event }) => event === code).length
}

function expectBetween(failures: string[], what: string, is: number, min: number, max: number): void {
  if (is < min || is > max) failures.push(`${what}: ${is} instead of ${min} to ${max}`)
}
