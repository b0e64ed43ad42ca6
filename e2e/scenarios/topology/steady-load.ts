import { setTimeout as delay } from 'node:timers/promises'
import { sendChat } from '../send-chat.ts'
import type { Kind, SentRequest } from '../load.ts'
import { MODEL } from '../site.ts'

export interface SteadyLoad {
  /** Every finished request. */
  readonly requests: readonly SentRequest[]
  /** Starts no more requests and waits for the running ones. */
  stop(): Promise<void>
}

const CALLERS = 12
/** Enough to meet every moment of a replacement. */
const REQUESTS_PER_SECOND = 50
/** Some stream for seconds, so that a stopping process has open streams. */
const KINDS: Kind[] = ['fine', 'fine', 'slow', 'fine', 'fine']

/** Sends requests that should succeed, whole and streamed in turn, at a steady rate. Failures do not stop it. */
export function startSteadyLoad(url: string, key: string, requestsPerSecond = REQUESTS_PER_SECOND): SteadyLoad {
  const requests: SentRequest[] = []
  const stopping = new AbortController()
  let next = 0

  async function sendRequests(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = delay((CALLERS / requestsPerSecond) * 1000, undefined, { signal: stopping.signal }).catch(() => {})
      requests.push(await sendOne(next++))
      await pause
    }
  }

  async function sendOne(index: number): Promise<SentRequest> {
    const kind = KINDS[index % KINDS.length]!
    const stream = kind === 'slow' || index % 2 === 0
    const content = `${kind} call ${index}: when does the tide turn, and may we open the gate?`
    const body = { model: MODEL, stream, messages: [{ role: 'user' as const, content }] }
    return { index, kind, stream, result: await sendChat({ url, key, body }) }
  }

  const running = Array.from({ length: CALLERS }, sendRequests)
  return {
    requests,
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
