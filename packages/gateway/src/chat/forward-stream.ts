import { openaiChat, type AnswerContext, type CanonicalAnswer, type RequestHead } from '@tidegate/dialects'
import type { Attempt } from './send-chat.ts'
import type { Opening } from './first-content.ts'
import type { Call } from '../http/api-request.ts'
import type { Meter } from './usage-meter.ts'
import type { Ports } from '../ports/index.ts'
import type { KeepCovered } from './credit-guard.ts'
import { relayEvents, type StreamEnd } from './relay-events.ts'
import { isRewritten, reshapeFor } from './reshape.ts'
import { convertingWriter, passingWriter, type StreamWriter } from './stream-writers.ts'

type Whole = Extract<Opening, { kind: 'whole' }>

/** An answer up to its last bytes, which wait until the call is settled. */
export type AnswerEnd =
  | { readonly kind: 'stream'; readonly end: StreamEnd; readonly writer: StreamWriter }
  /** The vendor's own body is the client's. */
  | { readonly kind: 'whole'; readonly opening: Whole }
  | { readonly kind: 'converted'; readonly answer: CanonicalAnswer; readonly context: AnswerContext }

interface Serving {
  readonly call: Call
  readonly request: RequestHead
  readonly attempt: Attempt
  readonly context: () => AnswerContext
  readonly meter: Meter
  /** Watches what a stream costs while it is passed on. */
  readonly covered: () => KeepCovered
}

/** Passes the answer on as far as it may go unsettled, while the meter listens. */
export async function passOn(
  { observe, log, now }: Pick<Ports, 'observe' | 'log' | 'now'>,
  { call, request, attempt, context, meter, covered }: Serving,
): Promise<AnswerEnd> {
  const { opening, route, conversation, firstContentAt, trial } = attempt
  const alike = conversation.dialect === request.dialect && !isRewritten(route.channel)
  const reshape = reshapeFor(route.channel)

  if (opening.kind === 'stream') {
    const channelId = route.channel.id
    observe?.({ kind: 'first-token', channelId, model: route.model, milliseconds: firstContentAt - call.startedAt })
    const writer = alike ? passingWriter(call.dialect, request) : convertingWriter(call.dialect, context(), reshape)
    const end = await relayEvents(call.reply, opening, writer, meter, covered())
    if (end.kind === 'broken' && end.failure.kind !== 'aborted') {
      const { status } = end.failure
      trial.report({ outcome: 'server', status, milliseconds: now() - firstContentAt })
      log.warn({ requestId: call.requestId, channelId, err: end.failure }, 'a stream broke')
    }
    return { kind: 'stream', end, writer }
  }

  for (const event of opening.said) meter.hear(event)
  meter.hear(DONE) // all of it is here, whatever it says
  if (request.stream) {
    const writer =
      alike && call.dialect.id === 'openai-chat'
        ? singleChunkWriter(opening, request)
        : convertingWriter(call.dialect, context(), reshape)
    await call.reply.write(writer.take({ bytes: NO_BYTES, events: opening.said, silent: false }))
    return { kind: 'stream', end: { kind: 'complete' }, writer }
  }
  if (alike) return { kind: 'whole', opening }
  return { kind: 'converted', answer: reshape ? reshape.answer(opening.answer) : opening.answer, context: context() }
}

const DONE = { type: 'done' } as const
const NO_BYTES = new Uint8Array(0)

/** A whole chat answer as the one chunk of a stream, with everything the vendor put into it. */
function singleChunkWriter({ body, answer }: Whole, { includeUsage }: RequestHead): StreamWriter {
  const start = { type: 'response-start', id: answer.id, model: answer.model, created: answer.created } as const
  return {
    take: () => openaiChat.answerFrames(body.toString('utf8')),
    closing: (usage) =>
      openaiChat.closing({ terminal: undefined, wantsUsage: includeUsage, sentUsage: false, usage, start }),
  }
}
