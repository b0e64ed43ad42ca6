import type { UpstreamResponse } from '@tidegate/providers'
import { UpstreamFailure } from '@tidegate/providers'
import type { Reply } from '../reply.ts'
import { answerHeaders } from '../stream/answer-headers.ts'

/** Counts stand in the last event of a stream: more of its end need not be kept. */
const TAIL_BYTES = 64 * 1024

export interface RelayedBytes {
  /** Its end, as text; blank when it is no stream of events. */
  readonly tail: string
  /** Why it stopped before its end. */
  readonly broken?: UpstreamFailure
}

/** Passes bytes on as they come, at the pace of the client. What tells the client that it is over is left to the caller. */
export async function relayBytes(
  reply: Reply,
  { response, first }: { response: UpstreamResponse; first: Uint8Array | undefined },
): Promise<RelayedBytes> {
  let tail = Buffer.alloc(0)
  const isEvents = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  reply.openRaw(response.status, answerHeaders(response.headers))
  try {
    for (let chunk = first; chunk; chunk = await response.read()) {
      if (isEvents) tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES)
      await reply.write(chunk)
      if (reply.gone) response.abort()
    }
    return { tail: tail.toString('utf8') }
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    return { tail: tail.toString('utf8'), broken: error }
  }
}
