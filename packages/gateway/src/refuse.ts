import { errorMessage, Refusal, type ErrorCode, type Language } from '@tidegate/contract'
import { DialectError, type WireError } from '@tidegate/dialects'
import { UpstreamFailure } from '@tidegate/providers'
import type { Call } from './ingress/call.ts'
import { taskRefusal } from './tasks/task-refusal.ts'

/** A refusal as the client will read it. */
export interface Rendered {
  readonly status: number
  readonly error: WireError
  readonly retryAfterSeconds?: number
}

/** Puts whatever went wrong into the caller's language, with the id to ask the operator about. */
export function renderFailure(
  failure: unknown,
  { requestId, language }: Pick<Call, 'requestId' | 'language'>,
): Rendered {
  const rendered = describeFailure(failure, language)
  return { ...rendered, error: { ...rendered.error, message: `${rendered.error.message} (request id: ${requestId})` } }
}

/** Answers with a refusal in the caller's protocol: as an event when a stream has been opened, else with its status. */
export function refuse(
  call: Pick<Call, 'requestId' | 'language' | 'reply' | 'dialect' | 'endpoint'>,
  failure: unknown,
): Rendered {
  const rendered = renderFailure(failure, call)
  const { status, error, retryAfterSeconds } = rendered
  const { ofConsole } = call.endpoint
  if (call.reply.streaming) {
    // Clients of the protocol stop at an error; the console reads on to the end mark.
    call.reply.end(call.dialect.errorFrame(error, status, call.requestId) + (ofConsole ? END_MARK : ''))
  } else {
    const own = call.endpoint.kind === 'task' ? taskRefusal(call.endpoint.call.task, rendered, failure) : undefined
    const body = own?.body ?? call.dialect.renderError(error, status, call.requestId)
    call.reply.sendJson(own?.status ?? status, ofConsole ? inEnvelope(error, body) : body, {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    })
  }
  return rendered
}

const END_MARK = 'data: [DONE]\n\n'

/** Pages of the console read refusals of `/api` and of chats; one answer serves both. */
function inEnvelope({ message, code }: WireError, body: object): object {
  return { success: false, message, code, ...body }
}

function asKnown(failure: unknown): Refusal | UpstreamFailure {
  if (failure instanceof Refusal || failure instanceof UpstreamFailure) return failure
  if (!(failure instanceof DialectError)) return new Refusal('internal_error', {}, { cause: failure })
  switch (failure.code) {
    case 'invalid_request':
      return new Refusal('invalid_text_request', { reason: failure.message })
    case 'cannot_express':
      return new Refusal('convert_request_failed', { reason: failure.message })
    default:
      return new Refusal(failure.code)
  }
}

/** What went wrong, in words and without an id. */
export function describeFailure(cause: unknown, language: Language): Rendered {
  const failure = asKnown(cause)
  const { status, retryAfterSeconds } = failure
  if (failure instanceof UpstreamFailure) return { status, retryAfterSeconds, error: failure.error }
  const message = errorMessage(failure.code, language, failure.details)
  const known = PROVIDER_FORMS[failure.code]
  if (known) return { status, error: { message, type: 'invalid_request_error', ...known } }
  return { status, retryAfterSeconds, error: { message, type: 'gateway_error', param: '', code: failure.code } }
}

/** Rejections that clients know from OpenAI, in its form. */
const PROVIDER_FORMS: Partial<Record<ErrorCode, { readonly param: string | null; readonly code: string | null }>> = {
  not_found: { param: '', code: '' },
  previous_response_not_found: { param: 'previous_response_id', code: 'previous_response_not_found' },
  conversation_not_found: { param: null, code: null },
}
