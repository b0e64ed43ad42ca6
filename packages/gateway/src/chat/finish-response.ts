import { ApiError, type Settings, type UsageReport } from '@tidegate/contract'
import type { JsonObject } from '@tidegate/dialects'
import { FAILURES } from '@tidegate/providers'
import type { ChatAttempt } from './send-chat.ts'
import { presentUpstreamError } from '../http/upstream-error.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { RequestOutcome } from '../ports/index.ts'
import { sendError } from '../http/error-response.ts'
import { forwardedHeaders } from '../http/response-writer.ts'
import type { ResponseEnd } from './forward-stream.ts'

/** What a client receives last: the rest of a stream, or a whole body. */
export type LastBytes = Uint8Array | string | JsonObject

interface SettledResponse {
  readonly response: ResponseEnd
  readonly attempt: ChatAttempt
  readonly settings: Settings
  readonly usage: UsageReport
  /** Called with the last bytes of a complete response. They are sent afterwards. */
  readonly onComplete?: ((last: LastBytes) => Promise<void> | undefined) | undefined
}

/** Sends the last bytes of a settled request, which show how it ended. */
export async function finishResponse(
  incoming: ApiRequest,
  { response, attempt, settings, usage, onComplete }: SettledResponse,
): Promise<RequestOutcome> {
  if (incoming.writer.isClosed) return 'client-gone'
  switch (response.kind) {
    case 'whole':
      await onComplete?.(response.opening.body)
      incoming.writer.send(response.opening.status, forwardedHeaders(response.opening.headers), response.opening.body)
      return 'served'
    case 'own': {
      if (!response.write) return sendUseless(incoming, attempt, settings)
      const body = response.write(usage)
      await onComplete?.(body)
      incoming.writer.sendJson(200, body)
      return 'served'
    }
    case 'converted': {
      const body = incoming.dialect.encodeResponse(response.response, usage, response.context)
      await onComplete?.(body)
      incoming.writer.sendJson(200, body)
      return 'served'
    }
    case 'stream':
      return finishStream(incoming, response, { attempt, settings, usage, onComplete })
  }
}

async function finishStream(
  incoming: ApiRequest,
  { end, writer }: Extract<ResponseEnd, { kind: 'stream' }>,
  { attempt, settings, usage, onComplete }: Omit<SettledResponse, 'response'>,
): Promise<RequestOutcome> {
  switch (end.kind) {
    case 'complete': {
      if (writer.isUseless?.()) return sendUseless(incoming, attempt, settings)
      const last = writer.closing(usage)
      await onComplete?.(last)
      incoming.writer.openStream() // a stream without content is not open yet
      incoming.writer.end(last)
      return 'served'
    }
    case 'uncovered':
      sendError(incoming, end.shortage)
      return 'interrupted'
    case 'broken': {
      const { route, lease } = attempt
      const failure = presentUpstreamError(end.failure, { channel: route.channel, key: lease.key }, settings)
      // Aborted while the client is connected: the process is stopping.
      sendError(incoming, incoming.isAborted ? new ApiError('service_unavailable') : failure)
      return 'interrupted'
    }
  }
}

/** The provider's response is billed, and has nothing in it. */
function sendUseless(
  incoming: ApiRequest,
  { route, lease }: SettledResponse['attempt'],
  settings: Settings,
): RequestOutcome {
  sendError(incoming, presentUpstreamError(FAILURES.empty(), { channel: route.channel, key: lease.key }, settings))
  return 'interrupted'
}
