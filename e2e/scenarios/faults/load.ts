import { setTimeout as delay } from 'node:timers/promises'
import { sendChat } from '../send-chat.ts'
import type { Kind, SentRequest } from '../load.ts'
import { MODEL } from '../site.ts'
import { until } from '../until.ts'

/** A request with the times from which recovery is measured. */
export interface TimedRequest extends SentRequest {
  url: string
  startedAt: number
  endedAt: number
}

export interface LoadPlan {
  /** Gateways, used in turn. */
  urls: readonly string[]
  /** Keys of several users, used in turn. */
  keys: readonly string[]
  callers: number
  /** The limit of all clients together. */
  requestsPerSecond: number
}

export interface RunningLoad {
  /** Every finished request, in the order they finished. */
  readonly requests: readonly TimedRequest[]
  /** Starts no more requests and waits for the running ones. Returns how many never finished. */
  stop(): Promise<number>
}

/** Of ten requests one fails, one is cut off, one is aborted by the client, one is slow, and six succeed. */
const KINDS: Kind[] = ['fine', 'slow', 'fine', 'error', 'fine', 'cut', 'fine', 'leave', 'fine', 'fine']
const CHUNKS_BEFORE_LEAVING = 5
const LAST_RESPONSE_WITHIN_MS = 60_000

/** A closed loop: each client waits for its response before it sends again. */
export function startLoad({ urls, keys, callers, requestsPerSecond }: LoadPlan): RunningLoad {
  const requests: TimedRequest[] = []
  const stopping = new AbortController()
  let next = 0
  let open = 0

  async function sendRequests(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = delay((callers / requestsPerSecond) * 1000, undefined, { signal: stopping.signal }).catch(() => {})
      open += 1
      requests.push(await sendOne(next++))
      open -= 1
      await pause
    }
  }

  async function sendOne(index: number): Promise<TimedRequest> {
    const kind = KINDS[index % KINDS.length]!
    // A request that breaks midway must be a stream. Of the rest every second one is.
    const stream = ['cut', 'leave', 'slow'].includes(kind) || index % 4 < 2
    const first = index + Math.floor(index / KINDS.length) // so that every gateway gets every kind
    const content = `${kind} call ${index}: when does the tide turn, and may we open the gate?`
    const request = {
      key: keys[Math.floor(index / urls.length) % keys.length]!,
      body: { model: MODEL, stream, messages: [{ role: 'user' as const, content }] },
      ...(kind === 'leave' && { leaveAfterChunks: CHUNKS_BEFORE_LEAVING }),
    }
    // If nothing listens, the next gateway is tried, as a load balancer would.
    for (let turn = 0; ; turn++) {
      const url = urls[(first + turn) % urls.length]!
      const startedAt = performance.now()
      const result = await sendChat({ ...request, url })
      if (result.outcome === 'unreachable' && turn + 1 < urls.length) continue
      return { index, kind, stream, result, url, startedAt, endedAt: performance.now() }
    }
  }

  const running = Array.from({ length: callers }, sendRequests)
  return {
    requests,
    async stop() {
      stopping.abort()
      if (!(await until(() => open === 0, LAST_RESPONSE_WITHIN_MS))) return open
      await Promise.all(running)
      return 0
    },
  }
}
