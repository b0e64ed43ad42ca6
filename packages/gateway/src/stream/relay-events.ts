import type { Refusal } from '@tidegate/contract'
import type { ChatRequest } from '@tidegate/dialects'
import { FAILURES, UpstreamFailure } from '@tidegate/providers'
import type { EventStream, HeardFrame } from '../dispatch/event-stream.ts'
import type { Meter } from '../meter/meter.ts'
import type { Reply } from '../reply.ts'
import type { KeepCovered } from './keep-covered.ts'

/** How a stream ended. Its last frame is not sent yet: the call is settled first. */
export type StreamEnd =
  | { readonly kind: 'complete'; readonly sentUsage: boolean }
  | { readonly kind: 'broken'; readonly failure: UpstreamFailure }
  /** Nothing more could be held for it. */
  | { readonly kind: 'uncovered'; readonly shortage: Refusal }

interface Opened {
  readonly held: readonly HeardFrame[]
  readonly events: EventStream
}

/** Passes a stream on as it arrives, byte for byte, while the meter listens. Stops short of its end mark. */
export async function relayEvents(
  reply: Reply,
  { held, events }: Opened,
  request: Pick<ChatRequest, 'includeUsage'>,
  meter: Meter,
  covered: KeepCovered,
): Promise<StreamEnd> {
  let finished = false
  let sentUsage = false
  try {
    for (let frames: readonly HeardFrame[] | undefined = held; frames; frames = await events.next()) {
      const passedOn: Uint8Array[] = []
      let end: StreamEnd | undefined
      for (const { bytes, event } of frames) {
        if (event) meter.hear(event)
        if (event?.kind === 'done') end = { kind: 'complete', sentUsage }
        if (event?.error) end = { kind: 'broken', failure: errorMidway(event.error) }
        if (end) break
        finished ||= event?.finishReason !== undefined
        // Counts the client did not ask for were asked for by us.
        if (event?.kind === 'usage' && !request.includeUsage) continue
        sentUsage ||= event?.kind === 'usage'
        passedOn.push(bytes)
      }
      const shortage = await covered()
      if (shortage) {
        events.abort()
        return { kind: 'uncovered', shortage }
      }
      if (passedOn.length > 0) await reply.write(passedOn.length === 1 ? passedOn[0]! : Buffer.concat(passedOn))
      if (end) {
        if (end.kind === 'complete') events.finish()
        else events.abort()
        return end
      }
    }
  } catch (error) {
    // Whatever broke it, the client has had content: the call must come to its settlement.
    events.abort()
    const failure = error instanceof UpstreamFailure ? error : FAILURES.unreadable(error)
    if (!finished || failure.kind === 'aborted') return { kind: 'broken', failure }
  }
  // Some vendors close without an end mark; whether the model had finished tells a full answer from a lost one.
  return finished ? { kind: 'complete', sentUsage } : { kind: 'broken', failure: FAILURES.interrupted() }
}

function errorMidway(error: UpstreamFailure['error']): UpstreamFailure {
  return new UpstreamFailure({ kind: 'answer', status: 502, error })
}
