import { Pool } from 'undici'
import { quantile } from './report.ts'

export interface Target {
  url: string
  key: string
}

export interface LoadResult {
  requestsPerSecond: number
  p50: number
  p99: number
  /** Time to the first byte of the body. */
  firstByteP50: number
  errors: number
}

interface LoadOptions {
  seconds: number
  /** Clients that each send the next request when the last one is complete. */
  callers: number
  body: string
}

/** Sends requests to a target as fast as the clients can, for some seconds. */
export async function load(target: Target, { seconds, callers, body }: LoadOptions): Promise<LoadResult> {
  const pool = new Pool(target.url, { connections: callers, pipelining: 1 })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${target.key}` }
  const latencies: number[] = []
  const firstBytes: number[] = []
  let errors = 0

  async function sendOnce(): Promise<void> {
    const from = performance.now()
    const response = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body })
    let isFirst = true
    for await (const _ of response.body) {
      if (isFirst) firstBytes.push(performance.now() - from)
      isFirst = false
    }
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    latencies.push(performance.now() - from)
  }
  async function sendUntil(deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      await sendOnce().catch(() => {
        errors += 1
      })
    }
  }

  const from = performance.now()
  await Promise.all(Array.from({ length: callers }, () => sendUntil(from + seconds * 1000)))
  const took = (performance.now() - from) / 1000
  await pool.close()
  return {
    requestsPerSecond: latencies.length / took,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    firstByteP50: quantile(firstBytes, 0.5),
    errors,
  }
}
