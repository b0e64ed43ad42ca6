import { setTimeout as delay } from 'node:timers/promises'
import { sendChat } from '../send-chat.ts'
import type { Kind, SentRequest } from '../load.ts'
import { MODEL } from '../site.ts'
import { until } from '../until.ts'

/** A call with the moments that recovery is measured by. */
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
  /** All callers together make no more than this. */
  requestsPerSecond: number
}

export interface RunningLoad {
  /** Every call that has ended, in the order of their ends. */
  readonly requests: readonly TimedRequest[]
  /** Begins no more calls and waits for those under way. Gives how many never ended. */
  stop(): Promise<number>
}

/** Of ten calls one fails, one is cut, one is left, one is slow, and six are fine. */
const KINDS: Kind[] = ['fine', 'slow', 'fine', 'error', 'fine', 'cut', 'fine', 'leave', 'fine', 'fine']
const CHUNKS_BEFORE_LEAVING = 5
const LAST_RESPONSE_WITHIN_MS = 60_000

/** A closed loop: each caller waits for its answer before it asks again. */
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
    // What breaks midway has to be a stream; of the rest every other one is.
    const stream = ['cut', 'leave', 'slow'].includes(kind) || index % 4 < 2
    const first = index + Math.floor(index / KINDS.length) // so that every gateway gets every kind
    const content = `${kind} call ${index}: when does the tide turn, and may we open the gate?`
    const request = {
      key: keys[Math.floor(index / urls.length) % keys.length]!,
      body: { model: MODEL, stream, messages: [{ role: 'user' as const, content }] },
      ...(kind === 'leave' && { leaveAfterChunks: CHUNKS_BEFORE_LEAVING }),
    }
    // Where nobody listens no call is made, and the next gateway is asked, as a balancer in front of them does.
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
