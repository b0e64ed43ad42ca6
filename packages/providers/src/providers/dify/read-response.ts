import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { type FailureClass, failureInside, type UpstreamFailure } from '../../upstream/failure.ts'
import { countsIn, type Said } from '../../custom-protocols/response-chunk.ts'
import type { AnswerReader } from '../../custom-protocols/translate-response.ts'

/** Reads one answer. The steps of a workflow, pings and sounds say nothing to who asked for a text. */
export function createDifyReader(): AnswerReader {
  let hasAgentSpoken = false

  return {
    event(data) {
      switch (data.event) {
        case 'agent_message':
          hasAgentSpoken = true
          return answerIn(data)
        case 'message':
          // Agents end with all they said once more. Their thoughts are the same words, too, and left out.
          return hasAgentSpoken ? undefined : answerIn(data)
        case 'message_end':
          return { ...headOf(data), finish: 'stop', ...usageIn(data), isLast: true }
        case 'error':
          throw errorOf(data)
        default:
          return undefined
      }
    },
    whole(body) {
      if (body.event === 'error' || typeof body.answer !== 'string') throw errorOf(body)
      return { ...answerIn(body), finish: 'stop', ...usageIn(body) }
    },
    refusal: (status, body) => (asText(body.code) === '' ? undefined : errorOf({ ...body, status })),
  }
}

function answerIn(data: JsonObject): Said {
  return { ...headOf(data), text: asText(data.answer) }
}

function headOf({ message_id: id, created_at: created }: JsonObject): Said {
  return { id: asText(id), ...(typeof created === 'number' && { created }) }
}

function usageIn({ metadata }: JsonObject): Said {
  return countsIn(asJsonObject(asJsonObject(metadata)?.usage), 'prompt_tokens', 'completion_tokens')
}

/** Dify says 400 to nearly everything: its word tells more, where we know it. */
function errorOf({ status, code, message }: JsonObject): UpstreamFailure {
  const fault = FAULTS[asText(code)]
  const told = typeof status === 'number' && status >= 400 && status < 600 ? { status } : {}
  return failureInside({
    fault: fault ?? 'server',
    code: asText(code),
    message: asText(message),
    ...(fault === undefined && told),
  })
}

const FAULTS: Readonly<Record<string, FailureClass>> = {
  unauthorized: 'auth',
  provider_not_initialize: 'auth',
  provider_quota_exceeded: 'credit',
  rate_limit_error: 'rate',
  too_many_requests: 'rate',
  invalid_param: 'client',
  completion_request_error: 'server',
  model_currently_not_support: 'server',
  app_unavailable: 'server',
}
