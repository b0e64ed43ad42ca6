import { openaiChat, type ChatRequest } from '@tidegate/dialects'
import type { Attempt } from '../dispatch/dispatch.ts'
import type { Opening } from '../dispatch/open-attempt.ts'
import type { Call } from '../ingress/call.ts'
import type { Meter } from '../meter/meter.ts'
import type { Ports } from '../ports.ts'
import type { KeepCovered } from './keep-covered.ts'
import { relayEvents, type StreamEnd } from './relay-events.ts'

/** An answer up to its last bytes, which wait until the call is settled. */
export type AnswerEnd = StreamEnd | { readonly kind: 'whole'; readonly opening: Extract<Opening, { kind: 'whole' }> }

/** Passes the answer on as far as it may go unsettled, while the meter listens. */
export async function passOn(
  { observe, log }: Pick<Ports, 'observe' | 'log'>,
  call: Call,
  request: ChatRequest,
  { opening, route, firstContentAt }: Attempt,
  meter: Meter,
  covered: KeepCovered,
): Promise<AnswerEnd> {
  if (opening.kind === 'stream') {
    const channelId = route.channel.id
    observe?.({ kind: 'first-token', channelId, model: route.model, milliseconds: firstContentAt - call.startedAt })
    const end = await relayEvents(call.reply, opening, request, meter, covered)
    if (end.kind === 'broken' && end.failure.kind !== 'aborted') {
      log.warn({ requestId: call.requestId, channelId, err: end.failure }, 'a stream broke')
    }
    return end
  }
  meter.hear(opening.answer)
  if (!request.stream) return { kind: 'whole', opening }
  await call.reply.write(openaiChat.answerFrame(opening.answer))
  return { kind: 'complete', sentUsage: false }
}
