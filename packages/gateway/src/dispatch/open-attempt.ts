import { openaiChat, type ChatAnswer, type WireError } from '@tidegate/dialects'
import { failureFromAnswer, FAILURES, readBody, UpstreamFailure, type UpstreamResponse } from '@tidegate/providers'
import { openEventStream, type EventStream, type HeardFrame } from './event-stream.ts'

/** An answer that has begun with something real: a stream held at its first content, or a whole body. */
export type Opening =
  | { readonly kind: 'stream'; readonly held: readonly HeardFrame[]; readonly events: EventStream }
  | {
      readonly kind: 'whole'
      readonly answer: ChatAnswer
      readonly status: number
      readonly headers: UpstreamResponse['headers']
      readonly body: Uint8Array
    }

const ERROR_BODY_CAP_BYTES = 1024 * 1024

/** Reads an answer as far as it takes to know that it is one. Throws an UpstreamFailure when it is not. */
export async function openAnswer(response: UpstreamResponse, { stream }: { stream: boolean }): Promise<Opening> {
  if (response.status < 200 || response.status > 299) {
    const body = await readBody(response, ERROR_BODY_CAP_BYTES)
    throw failureFromAnswer(response.status, body.toString('utf8'), response.headers)
  }
  const isStream = stream && /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  return isStream ? holdUntilContent(openEventStream(response)) : readWhole(response)
}

async function readWhole(response: UpstreamResponse): Promise<Opening> {
  const body = await readBody(response)
  const answer = openaiChat.readAnswer(body.toString('utf8'))
  if (!answer) throw FAILURES.unreadable()
  if (answer.error) throw errorInside(answer.error)
  if (openaiChat.isEmptyReply(answer)) throw FAILURES.empty()
  return { kind: 'whole', answer, status: response.status, headers: response.headers, body }
}

/** Nothing may reach the client before the first real event, so what comes earlier is kept back to be sent with it. */
async function holdUntilContent(events: EventStream): Promise<Opening> {
  const held: HeardFrame[] = []
  let finishReason: string | undefined
  for (let frames = await events.next(); frames; frames = await events.next()) {
    const spoken = frames.filter(({ event }) => event !== undefined) // a vendor's own pings end here
    held.push(...spoken)
    for (const { event } of spoken) {
      if (event?.error) {
        events.abort()
        throw errorInside(event.error)
      }
      finishReason ??= event?.finishReason
      if (event && openaiChat.isContent(event)) return { kind: 'stream', held, events }
    }
    if (spoken.some(({ event }) => event?.kind === 'done')) break
  }
  if (openaiChat.isEmptyReply({ hasContent: false, finishReason })) {
    events.finish()
    throw FAILURES.empty()
  }
  return { kind: 'stream', held, events }
}

/** An error inside an answer that began as a success. */
function errorInside(error: WireError): UpstreamFailure {
  const code = Number(error.code)
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 502
  return new UpstreamFailure({ kind: 'answer', status, error })
}
