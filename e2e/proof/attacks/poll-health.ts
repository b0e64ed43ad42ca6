import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { ask } from './ask.ts'

/** The result that the thread sends when it stops. */
export interface HealthReport {
  readonly slowestMs: number
  readonly polls: number
  /** The process did not answer any more. */
  readonly isGone: boolean
}

const POLL_MS = 20

/** A thread of its own: what the attacker computes between two requests must not count as the server's time. */
const { url } = workerData as { url: string }
let slowestMs = 0
let polls = 0
let isGone = false
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
while (!stopping.signal.aborted && !isGone) {
  const answer = await ask(url, { path: '/healthz' }).catch(() => undefined)
  isGone = answer === undefined
  slowestMs = Math.max(slowestMs, answer?.milliseconds ?? 0)
  polls += 1
  await delay(POLL_MS)
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage({ slowestMs, polls, isGone } satisfies HealthReport)
