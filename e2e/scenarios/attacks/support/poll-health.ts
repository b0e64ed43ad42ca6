import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { sendRequest } from './send-request.ts'

/** The report that the thread sends when it stops. */
export interface HealthReport {
  readonly slowestMs: number
  /** The 99th percentile of response times. */
  readonly p99Ms: number
  readonly polls: number
  /** The process stopped responding. */
  readonly isGone: boolean
}

const POLL_MS = 20

/** A separate thread, so that the attacker's own work does not count as response time. */
const { url } = workerData as { url: string }
const milliseconds: number[] = []
let isGone = false
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
while (!stopping.signal.aborted && !isGone) {
  const response = await sendRequest(url, { path: '/healthz' }).catch(() => undefined)
  isGone = response === undefined
  if (response) milliseconds.push(response.milliseconds)
  await delay(POLL_MS)
}
const sorted = milliseconds.toSorted((one, other) => one - other)
const report: HealthReport = {
  slowestMs: sorted.at(-1) ?? 0,
  p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  polls: sorted.length,
  isGone,
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(report)
