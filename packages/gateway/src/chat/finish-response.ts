import { ApiError, type Settings, type UsageReport } from '@tidegate/contract'
import type { ChatAttempt } from './send-chat.ts'
import { presentUpstreamError } from '../http/upstream-error.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { RequestOutcome } from '../ports/index.ts'
import { sendError } from '../http/error-response.ts'
import { forwardedHeaders } from '../http/response-writer.ts'
import type { ResponseEnd } from './forward-stream.ts'

interface SettledResponse {
  readonly response: ResponseEnd
  readonly attempt: ChatAttempt
  readonly settings: Settings
  readonly usage: UsageReport
}

/** Sends the last bytes of a settled request, which show how it ended. */
export function finishResponse(
  incoming: ApiRequest,
  { response, attempt, settings, usage }: SettledResponse,
): RequestOutcome {
  if (incoming.writer.isClosed) return 'client-gone'
  switch (response.kind) {
    case 'whole':
      incoming.writer.send(response.opening.status, forwardedHeaders(response.opening.headers), response.opening.body)
      return 'served'
    case 'converted':
      incoming.writer.sendJson(200, incoming.dialect.encodeResponse(response.response, usage, response.context))
      return 'served'
    case 'stream':
      return finishStream(incoming, response, attempt, settings, usage)
  }
}

function finishStream(
  incoming: ApiRequest,
  { end, writer }: Extract<ResponseEnd, { kind: 'stream' }>,
  { route, lease }: ChatAttempt,
  settings: Settings,
  usage: UsageReport,
): RequestOutcome {
  switch (end.kind) {
    case 'complete':
      incoming.writer.openStream() // a stream without content is not open yet
      incoming.writer.end(writer.closing(usage))
      return 'served'
    case 'uncovered':
      sendError(incoming, end.shortage)
      return 'interrupted'
    case 'broken': {
      const failure = presentUpstreamError(end.failure, { channel: route.channel, key: lease.key }, settings)
      // Aborted while the client is connected: the process is stopping.
      sendError(incoming, incoming.isAborted ? new ApiError('service_unavailable') : failure)
      return 'interrupted'
    }
  }
}
