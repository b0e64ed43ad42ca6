import { Refusal, type Settings } from '@tidegate/contract'
import { openaiChat, type ChunkHead, type UsageBuckets } from '@tidegate/dialects'
import type { Attempt } from '../dispatch/dispatch.ts'
import { presentFailure } from '../present-failure.ts'
import type { Call } from '../ingress/call.ts'
import type { CallOutcome } from '../ports.ts'
import { refuse } from '../refuse.ts'
import { answerHeaders } from './answer-headers.ts'
import type { AnswerEnd } from './pass-on.ts'

interface Settled {
  readonly end: AnswerEnd
  readonly attempt: Attempt
  readonly settings: Settings
  readonly usage: UsageBuckets
  /** The client asked for the counts of its stream. */
  readonly wantsUsage: boolean
  readonly head: ChunkHead | undefined
}

/** Sends the last bytes of a settled call: those that tell the client it is over, and how it ended. */
export function conclude(call: Call, { end, attempt, settings, usage, wantsUsage, head }: Settled): CallOutcome {
  if (call.reply.gone) return 'client-gone'
  switch (end.kind) {
    case 'whole':
      call.reply.send(end.opening.status, answerHeaders(end.opening.headers), end.opening.body)
      return 'served'
    case 'complete': {
      const counts = wantsUsage && !end.sentUsage ? openaiChat.usageFrame(head, usage) : ''
      call.reply.end(counts + openaiChat.doneFrame)
      return 'served'
    }
    case 'uncovered':
      refuse(call, end.shortage)
      return 'interrupted'
    case 'broken': {
      const failure = presentFailure(end.failure, attempt.route.channel, settings)
      // Aborted with the client still there: the process is stopping.
      refuse(call, call.signal.aborted ? new Refusal('service_unavailable') : failure)
      return 'interrupted'
    }
  }
}
