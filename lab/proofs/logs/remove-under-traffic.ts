import { api } from '@tidegate/contract'
import { addToken, type ApiClient, type RunningServer } from '@tidegate/testing'
import { MODEL } from '@tidegate/e2e/scenarios/site.ts'
import { quantile } from '@tidegate/e2e/scenarios/quantile.ts'

export interface RemovalResult {
  removed: number
  seconds: number
  quietP99: number
  busyP99: number
}

const CONCURRENCY = 4
const REQUESTS = 1200

/** Sends requests while old rows are removed, and the same number before for comparison. */
export async function removeUnderTraffic(
  server: RunningServer,
  client: ApiClient,
  olderThan: number,
): Promise<RemovalResult> {
  const { secret } = await addToken(client, {})
  await traffic(server, secret, REQUESTS / 4) // warm-up
  const quiet = await traffic(server, secret, REQUESTS)
  let removed = 0
  let seconds = 0
  const startedAt = performance.now()
  const removal = client.call(api.deleteLogs, { query: { target_timestamp: olderThan } }).then((count) => {
    removed = count
    seconds = (performance.now() - startedAt) / 1000
  })
  const [busy] = await Promise.all([traffic(server, secret, REQUESTS), removal])
  return { removed, seconds, quietP99: quantile(quiet, 0.99), busyP99: quantile(busy, 0.99) }
}

async function traffic({ url }: RunningServer, secret: string, requests: number): Promise<number[]> {
  const times: number[] = []
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hello' }] })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const caller = async () => {
    while (times.length < requests) {
      const startedAt = performance.now()
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
      await response.text()
      if (!response.ok) throw new Error(`a request was rejected: ${response.status}`)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  return times
}
