import {
  eventsOf,
  isContent,
  isEmptyReply,
  type CanonicalAnswer,
  type CanonicalEvent,
  type DecodeContext,
  type Dialect,
} from '@tidegate/dialects'
import {
  failureFromAnswer,
  failureFromError,
  FAILURES,
  readBody,
  readJsonBody,
  type UpstreamResponse,
} from '@tidegate/providers'
import { openEventStream, type EventStream, type HeardFrame } from './event-stream.ts'

/** An answer that has begun with something real: a stream held at its first content, or a whole body. */
export type Opening =
  | { readonly kind: 'stream'; readonly held: HeardFrame[]; readonly events: EventStream }
  | {
      readonly kind: 'whole'
      readonly answer: CanonicalAnswer
      /** The same, as a stream would have told it. */
      readonly said: readonly CanonicalEvent[]
      readonly status: number
      readonly headers: UpstreamResponse['headers']
      readonly body: Buffer
    }

const ERROR_BODY_CAP_BYTES = 1024 * 1024
const HELD_CAP_BYTES = 10 * 1024 * 1024

/** Reads an answer as far as it takes to know that it is one. Throws an UpstreamFailure when it is not. */
export async function openAnswer(
  response: UpstreamResponse,
  dialect: Dialect,
  { stream, newId }: DecodeContext & { stream: boolean },
): Promise<Opening> {
  if (response.status < 200 || response.status > 299) {
    const body = await readBody(response, ERROR_BODY_CAP_BYTES)
    throw failureFromAnswer(response.status, body.toString('utf8'), response.headers)
  }
  const isStream = stream && /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  return isStream
    ? holdUntilContent(openEventStream(response, dialect.createDecoder({ newId })))
    : readWhole(response, dialect, { newId })
}

async function readWhole(response: UpstreamResponse, dialect: Dialect, context: DecodeContext): Promise<Opening> {
  const body = await readJsonBody(response)
  const answer = dialect.decodeAnswer(body.toString('utf8'), context)
  if (!answer) throw FAILURES.unreadable()
  if (answer.error) throw failureFromError(answer.error, answer.errorStatus)
  const said = eventsOf(answer)
  if (isEmptyReply(said)) throw FAILURES.empty()
  return { kind: 'whole', answer, said, status: response.status, headers: response.headers, body }
}

/** Nothing may reach the client before the first real event, so what comes earlier is kept back to be sent with it. */
async function holdUntilContent(events: EventStream): Promise<Opening> {
  const held: HeardFrame[] = []
  const heard: CanonicalEvent[] = []
  let heldBytes = 0
  for (let frames = await events.next(); frames; frames = await events.next()) {
    for (const [index, frame] of frames.entries()) {
      if (frame.silent) continue // a vendor's own pings end here
      held.push(frame)
      heldBytes += frame.bytes.length
      for (const event of frame.events) {
        if (event.type === 'error') {
          events.abort()
          throw failureFromError(event.error, event.status)
        }
        if (isContent(event)) return { kind: 'stream', held: [...held, ...frames.slice(index + 1)], events }
        heard.push(event)
      }
    }
    if (heard.at(-1)?.type === 'done') break
    if (heldBytes > HELD_CAP_BYTES) {
      events.abort()
      throw FAILURES.tooLarge(new Error(`more than ${HELD_CAP_BYTES} bytes without content`))
    }
  }
  if (isEmptyReply(heard)) {
    events.finish()
    throw FAILURES.empty()
  }
  return { kind: 'stream', held, events }
}
