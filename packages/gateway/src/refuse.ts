import { errorMessage, Refusal, type Language } from '@tidegate/contract'
import { DialectError, openaiChat, type WireError } from '@tidegate/dialects'
import { UpstreamFailure } from '@tidegate/providers'
import type { Call } from './ingress/call.ts'

/** A refusal as the client will read it. */
export interface Rendered {
  readonly status: number
  readonly error: WireError
  readonly retryAfterSeconds?: number
}

/** Puts whatever went wrong into the caller's protocol and language, with the id to ask the operator about. */
export function renderFailure(
  failure: unknown,
  { requestId, language }: Pick<Call, 'requestId' | 'language'>,
): Rendered {
  const rendered = describe(asKnown(failure), language)
  return { ...rendered, error: { ...rendered.error, message: `${rendered.error.message} (request id: ${requestId})` } }
}

/** Answers with a refusal: as an event when a stream has been opened, else with its status. */
export function refuse(call: Pick<Call, 'requestId' | 'language' | 'reply'>, failure: unknown): Rendered {
  const rendered = renderFailure(failure, call)
  if (call.reply.streaming) call.reply.end(openaiChat.errorFrame(rendered.error))
  else {
    const { retryAfterSeconds, status } = rendered
    call.reply.sendJson(status, openaiChat.renderError(rendered.error), {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      // The rest of a body nobody will read must not be taken for the next request.
      ...(status === 413 && { connection: 'close' }),
    })
  }
  return rendered
}

function asKnown(failure: unknown): Refusal | UpstreamFailure {
  if (failure instanceof Refusal || failure instanceof UpstreamFailure) return failure
  if (!(failure instanceof DialectError)) return new Refusal('internal_error', {}, { cause: failure })
  return failure.code === 'invalid_request'
    ? new Refusal('invalid_text_request', { reason: failure.message })
    : new Refusal(failure.code)
}

function describe(failure: Refusal | UpstreamFailure, language: Language): Rendered {
  const { status, retryAfterSeconds } = failure
  if (failure instanceof UpstreamFailure) return { status, retryAfterSeconds, error: failure.error }
  const message = errorMessage(failure.code, language, failure.details)
  // The one refusal whose shape clients know from elsewhere.
  if (failure.code === 'not_found')
    return { status, error: { message, type: 'invalid_request_error', param: '', code: '' } }
  return { status, retryAfterSeconds, error: { message, type: 'gateway_error', param: '', code: failure.code } }
}
