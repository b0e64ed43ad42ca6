import type { ApiError } from '@tidegate/contract'
import { failureFromError, FAILURES, UpstreamFailure } from '@tidegate/providers'
import type { EventStream, HeardFrame } from './event-stream.ts'
import type { Meter } from './usage-meter.ts'
import type { Reply } from '../http/response-writer.ts'
import type { KeepCovered } from './credit-guard.ts'
import type { StreamWriter } from './stream-writers.ts'

/** How a stream ended. Its last frames are not sent yet: the call is settled first. */
export type StreamEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'broken'; readonly failure: UpstreamFailure }
  /** Nothing more could be held for it. */
  | { readonly kind: 'uncovered'; readonly shortage: ApiError }

interface Opened {
  readonly held: HeardFrame[]
  readonly events: EventStream
}

/** Passes a stream on as it arrives, while the meter listens. Stops short of its end. */
export async function relayEvents(
  reply: Reply,
  { held, events }: Opened,
  writer: StreamWriter,
  meter: Meter,
  covered: KeepCovered,
): Promise<StreamEnd> {
  let finished = false
  try {
    // Taken out of it, or the first frames would stay in memory as long as the call does.
    for (let frames: HeardFrame[] | undefined = held.splice(0); frames; frames = await events.next()) {
      const passedOn: (Uint8Array | string)[] = []
      let end: StreamEnd | undefined
      for (const frame of frames) {
        for (const event of frame.events) {
          meter.hear(event)
          if (event.type === 'finish') finished = true
          else if (event.type === 'done') end ??= { kind: 'complete' }
          else if (event.type === 'error')
            end ??= { kind: 'broken', failure: failureFromError(event.error, event.status) }
        }
        // Of each frame, not of all that came together: what is billed and not sent is one frame at most.
        const covering = covered()
        const shortage = covering && (await covering)
        if (shortage) {
          if (passedOn.length > 0) await reply.write(joined(passedOn))
          events.abort()
          return { kind: 'uncovered', shortage }
        }
        if (end?.kind === 'broken') break
        const bytes = writer.take(frame)
        if (bytes.length > 0) passedOn.push(bytes)
        if (end) break
      }
      const writing = passedOn.length > 0 ? reply.write(joined(passedOn)) : undefined
      if (writing) await writing
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
  return finished ? { kind: 'complete' } : { kind: 'broken', failure: FAILURES.interrupted() }
}

function joined(pieces: readonly (Uint8Array | string)[]): Uint8Array | string {
  if (pieces.length === 1) return pieces[0]!
  return pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
