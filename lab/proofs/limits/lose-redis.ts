import type { RunningServer } from '@tidegate/testing'
import { until } from '@tidegate/e2e/scenarios/until.ts'
import { windows } from '@tidegate/e2e/scenarios/limits/count-requests.ts'
import type { LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import {
  countBy,
  oddAnswers,
  offerCall,
  offerCalls,
  type Answer,
} from '@tidegate/e2e/scenarios/limits/send-requests.ts'

export interface LossPlan {
  calls: number
  atOnce: number
  limit: number
}

export interface RedisLost {
  /** With Redis stopped in the middle: shared before, by each process after. */
  admittedMidway: number
  /** By each process while Redis is away. */
  admittedAway: number[]
  /** By both together when it is back. */
  admittedAfter: number
  refusedForMoney: string
  short: string[]
}

const BACK_WITHIN_MS = 15_000
const LOST = 'limits are kept in this process until Redis is back'
const FOUND = 'limits are shared through Redis again'
const EXPECTED = ['200', '429 token_rate_limited']

/** Redis goes in the middle of calls, stays away, and comes back. */
export async function loseRedis(site: LimitsSite, { calls, atOnce, limit }: LossPlan): Promise<RedisLost> {
  const { upstream, redis, nodes } = site
  const [keyMidway, keyAway, keyAfter, poor, keyPlain] = await Promise.all([
    site.newKey(windows(limit, 0)),
    site.newKey(windows(limit, 0)),
    site.newKey(windows(limit, 0)),
    site.newKey({ unlimited_quota: false, remain_quota: 1, ...windows(limit, 0) }),
    site.newKey(windows(1_000_000, 0)),
  ])
  upstream.reset()
  const short: string[] = []

  let stopped: Promise<void> | undefined
  const midway = await offerCalls({
    nodes,
    key: keyMidway,
    calls,
    atOnce,
    heard: (_, count) => {
      if (count === Math.floor(limit / 2)) stopped = redis.stop()
    },
  })
  await stopped
  const admittedMidway = countBy(midway, 200)
  short.push(...oddAnswers(midway, EXPECTED))
  expectBetween(short, 'let in while Redis went', admittedMidway, limit, limit + limit * nodes.length)

  const away = await offerCalls({ nodes, key: keyAway, calls, atOnce })
  short.push(...oddAnswers(away, EXPECTED))
  const admittedAway = nodes.map((node) => admittedBy(node, away))
  for (const admitted of admittedAway) expectBetween(short, 'let in by a process alone', admitted, limit, limit + 1)

  const refused = await offerCall({ url: nodes[1]!.url, key: poor, content: 'more than one can pay' })
  if (refused.status !== 402) short.push(`a call nobody could pay was answered ${refused.status} ${refused.code}`)

  await redis.start()
  for (const node of nodes) {
    const isBack = await until(async () => {
      await offerCall({ url: node.url, key: keyPlain })
      return toldTimes(node, FOUND) > 0
    }, BACK_WITHIN_MS)
    if (!isBack) short.push('a process did not return to Redis')
  }
  const after = await offerCalls({ nodes, key: keyAfter, calls, atOnce })
  short.push(...oddAnswers(after, EXPECTED))
  const admittedAfter = countBy(after, 200)
  expectBetween(short, 'let in when Redis was back', admittedAfter, limit - 1, limit + 1)
  // The other process also keeps the limits of its console, in a limiter of their own.
  const told = toldTimes(nodes[1]!, LOST)
  if (told !== 1) short.push(`the loss of Redis was logged ${told} times`)
  return { admittedMidway, admittedAway, admittedAfter, refusedForMoney: refused.code, short }
}

function admittedBy({ url }: RunningServer, answers: readonly Answer[]): number {
  return answers.filter((answer) => answer.status === 200 && answer.url === url).length
}

function toldTimes({ logs }: RunningServer, message: string): number {
  return logs.filter(({ msg }) => msg === message).length
}

function expectBetween(short: string[], what: string, is: number, least: number, most: number): void {
  if (is < least || is > most) short.push(`${what}: ${is} instead of ${least} to ${most}`)
}
