import { until } from '@tidegate/e2e/scenarios/until.ts'
import type { LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import { sendRequest, openRequest } from '@tidegate/e2e/scenarios/limits/send-requests.ts'

export interface NodeCrashResult {
  /** Until the lease of the killed gateway was free again. */
  freeAfterMs: number
  failures: string[]
}

/** One minute, with some slack for the machine. */
const LIMIT_MS = 62_000

/** Kills a gateway that has an open stream, while another gateway keeps a stream open. */
export async function crashNode(site: LimitsSite): Promise<NodeCrashResult> {
  const { upstream, nodes } = site
  const [here, dying] = [nodes[0]!, nodes.at(-1)!]
  const failures: string[] = []
  upstream.reset()
  upstream.when(({ body }) => JSON.stringify(body).includes('long'), { textLength: 4_000, betweenEventsMs: 250 })
  const key = await site.newKey({ max_concurrency: 2 })
  const aborts = new AbortController()
  const long = { key, content: 'a long one', stream: true, signal: aborts.signal }
  for (const { url } of [here, dying]) {
    const stream = await openRequest({ url, ...long })
    stream.on('error', () => {}).resume()
  }
  if ((await sendRequest({ url: here.url, key })).code !== 'token_concurrency_limited')
    failures.push('a third request was accepted')

  await dying.kill()
  const killedAt = performance.now()
  const isFree = await until(async () => (await sendRequest({ url: here.url, key })).status === 200, LIMIT_MS)
  const freeAfterMs = performance.now() - killedAt
  if (!isFree) failures.push('the lease of the dead gateway was not free after a minute')

  // The stream that continues still holds its lease: there is room for one more.
  const second = await openRequest({ url: here.url, ...long })
  second.on('error', () => {}).resume()
  const third = await sendRequest({ url: here.url, key })
  if (second.statusCode !== 200 || third.code !== 'token_concurrency_limited') {
    failures.push(`beside the long stream: ${second.statusCode}, then ${third.status} ${third.code}`)
  }
  aborts.abort()
  return { freeAfterMs, failures }
}
