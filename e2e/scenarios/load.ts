import type { FakeUpstream, ReceivedRequest } from '@tidegate/testing'
import { sendChat, type ChatRequest, type ChatResult } from './send-chat.ts'
import { MODEL } from './site.ts'
import { until } from './until.ts'

/** What happens to a request. `slow` succeeds and streams long enough for a checkpoint. */
export type Kind = 'error' | 'cut' | 'leave' | 'slow' | 'fine'

export interface SentRequest {
  /** Also in the prompt, so that requests at the upstream can be matched. */
  index: number
  kind: Kind
  stream: boolean
  result: ChatResult
}

/**
 * Of ten requests one fails, one is cut off, one is aborted by the client, one is slow, and six succeed: three
 * streamed, three whole.
 */
const KINDS: Kind[] = ['error', 'fine', 'cut', 'fine', 'leave', 'fine', 'slow', 'fine', 'fine', 'fine']
const TEXTS = 'The tide comes in and the gate lets it through. '
const CHUNKS_BEFORE_LEAVING = 5
const REACHABLE_WITHIN_MS = 60_000

/** Scripts the upstream by the kind in the prompt. */
export function scriptKinds(upstream: FakeUpstream): void {
  const asks = (kind: Kind) => (request: ReceivedRequest) => markOf(request)?.kind === kind
  upstream
    .always({ betweenEventsMs: 1 })
    .when(asks('error'), { status: 500 })
    .when(asks('cut'), { text: TEXTS.repeat(3), betweenEventsMs: 1, cut: { afterEvents: 20, partialBytes: 9 } })
    .when(asks('leave'), { text: TEXTS.repeat(40), betweenEventsMs: 5 })
    .when(asks('slow'), { text: TEXTS.repeat(6), betweenEventsMs: 50 })
}

/** Finds the request that belongs to a request at the upstream. */
export function markOf({ body }: ReceivedRequest): { index: number; kind: Kind } | undefined {
  const { messages } = (body ?? {}) as { messages?: { content: string }[] }
  const found = /^(\w+) call (\d+)/.exec(messages?.[0]?.content ?? '')
  return found ? { kind: found[1] as Kind, index: Number(found[2]) } : undefined
}

export interface LoadPlan {
  requests: number
  callers: number
  url: string
  /** Tokens, used in turn. */
  keys: readonly string[]
  onEnded(ended: number): void
}

/** Sends mixed requests from this many clients. A request that reached no server is sent again later. */
export async function mixedLoad({ requests, callers, url, keys, onEnded }: LoadPlan): Promise<SentRequest[]> {
  const made: SentRequest[] = []
  let next = 0

  async function sendRequests(): Promise<void> {
    while (next < requests) {
      const index = next++
      const kind = KINDS[index % KINDS.length]!
      // Half of the requests that can be whole are whole. A request that breaks midway must be a stream.
      const stream = ['cut', 'leave', 'slow'].includes(kind) || index % 4 < 2
      const request = planRequest({ index, kind, stream, url, key: keys[index % keys.length]! })
      made.push({ index, kind, stream, result: await sendUntilReached(request) })
      onEnded(made.length)
    }
  }

  await Promise.all(Array.from({ length: callers }, sendRequests))
  return made
}

function planRequest(request: { index: number; kind: Kind; stream: boolean; url: string; key: string }): ChatRequest {
  const { index, kind, stream, url, key } = request
  const content = `${kind} call ${index}: when does the tide turn, and may we open the gate?`
  return {
    url,
    key,
    body: { model: MODEL, stream, messages: [{ role: 'user', content }] },
    ...(kind === 'leave' && { leaveAfterChunks: CHUNKS_BEFORE_LEAVING }),
  }
}

async function sendUntilReached(request: ChatRequest): Promise<ChatResult> {
  let result = await sendChat(request)
  await until(async () => {
    if (result.outcome === 'unreachable') result = await sendChat(request)
    return result.outcome !== 'unreachable'
  }, REACHABLE_WITHIN_MS)
  return result
}
