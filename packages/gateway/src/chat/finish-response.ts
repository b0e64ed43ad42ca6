import { ApiError, type Settings, type UsageReport } from '@tidegate/contract'
import type { Attempt } from './send-chat.ts'
import { presentFailure } from '../http/upstream-error.ts'
import type { Call } from '../http/api-request.ts'
import type { CallOutcome } from '../ports/index.ts'
import { refuse } from '../http/error-response.ts'
import { forwardedHeaders } from '../http/response-writer.ts'
import type { AnswerEnd } from './forward-stream.ts'

interface Settled {
  readonly answer: AnswerEnd
  readonly attempt: Attempt
  readonly settings: Settings
  readonly usage: UsageReport
}

/** Sends the last bytes of a settled call: those that tell the client it is over, and how it ended. */
export function conclude(call: Call, { answer, attempt, settings, usage }: Settled): CallOutcome {
  if (call.reply.gone) return 'client-gone'
  switch (answer.kind) {
    case 'whole':
      call.reply.send(answer.opening.status, forwardedHeaders(answer.opening.headers), answer.opening.body)
      return 'served'
    case 'converted':
      call.reply.sendJson(200, call.dialect.encodeAnswer(answer.answer, usage, answer.context))
      return 'served'
    case 'stream':
      return concludeStream(call, answer, attempt, settings, usage)
  }
}

function concludeStream(
  call: Call,
  { end, writer }: Extract<AnswerEnd, { kind: 'stream' }>,
  { route, trial }: Attempt,
  settings: Settings,
  usage: UsageReport,
): CallOutcome {
  switch (end.kind) {
    case 'complete':
      call.reply.openStream() // nothing was written before in a stream without content
      call.reply.end(writer.closing(usage))
      return 'served'
    case 'uncovered':
      refuse(call, end.shortage)
      return 'interrupted'
    case 'broken': {
      const failure = presentFailure(end.failure, { channel: route.channel, key: trial.key }, settings)
      // Aborted with the client still there: the process is stopping.
      refuse(call, call.signal.aborted ? new ApiError('service_unavailable') : failure)
      return 'interrupted'
    }
  }
}
