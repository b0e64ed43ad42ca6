import { until } from '../until.ts'
import { windows, type CountPlan } from './count-requests.ts'
import { LONG_WINDOW_SECONDS, type LimitsSite } from './limits-site.ts'
import { countBy, sendRequest, sendRequests, unexpectedResponses } from './send-requests.ts'

export interface SlicesResult {
  /** Accepted while all gateways were busy, and in total once idle gateways had returned their slices. */
  admittedAtOnce: number
  admitted: number
  /** Accepted of those that were sent below the limit. */
  admittedBelow: number
  /** Redis scripts for the requests below the limit. */
  scriptsBelow: number
  failures: string[]
}

/** A gateway that holds slices loses at most this share of a limit to the others for a moment. */
const HELD_SHARE = 1 / 8
const EXPECTED = ['200', '429 token_rate_limited']
const RETURNED_WITHIN_MS = 15_000

/** Sends requests against a limit that gateways spend in slices, first below the limit, then beyond it. */
export async function spendSlices(site: LimitsSite, plan: CountPlan): Promise<SlicesResult> {
  const { upstream, nodes, redis } = site
  const { requests, concurrency, limit } = plan
  upstream.reset()
  const failures: string[] = []
  const key = await site.newKey(windows(limit, 0))
  const startedAt = performance.now()
  // The gateways have to know how many they are.
  for (const { url } of nodes) await sendRequest({ url, key })
  const expected = Math.floor(limit / 2)

  const scriptsBefore = await redis.scriptCalls()
  const below = await sendRequests({ nodes, key, requests: expected - nodes.length, concurrency })
  const scriptsBelow = (await redis.scriptCalls()) - scriptsBefore
  const admittedBelow = countBy(below, 200)
  failures.push(...unexpectedResponses(below, ['200']))

  const beyond = await sendRequests({ nodes, key, requests, concurrency })
  failures.push(...unexpectedResponses(beyond, EXPECTED))
  const admittedAtOnce = upstream.requests.length
  if (admittedAtOnce < limit * (1 - HELD_SHARE)) failures.push(`only ${admittedAtOnce} of ${limit} were accepted`)

  await until(async () => {
    for (const { url } of nodes) while ((await sendRequest({ url, key })).status === 200);
    return upstream.requests.length >= limit
  }, RETURNED_WITHIN_MS)
  const admitted = upstream.requests.length
  const refilled = Math.ceil((limit * (performance.now() - startedAt)) / (LONG_WINDOW_SECONDS * 1_000))
  if (admitted > limit + refilled) failures.push(`${admitted} were accepted, ${limit + refilled} are allowed`)
  if (admitted < limit) failures.push(`${limit - admitted} of ${limit} were not returned by idle gateways`)
  upstream.reset()
  return { admittedAtOnce, admitted, admittedBelow, scriptsBelow, failures }
}
