import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { type FailureClass, failureInBody, type UpstreamFailure } from '../../upstream/failure.ts'
import { readUsage, type ResponseChunk } from '../../custom-protocols/response-chunk.ts'
import type { ResponseReader } from '../../custom-protocols/translate-response.ts'

/** Reads one response. Workflow steps, pings and audio have no text and are ignored. */
export function createDifyReader(): ResponseReader {
  let hasAgentMessage = false

  return {
    readEvent(data) {
      switch (data.event) {
        case 'agent_message':
          hasAgentMessage = true
          return readText(data)
        case 'message':
          // Agents repeat their whole message at the end. Their thoughts are the same text and are ignored.
          return hasAgentMessage ? undefined : readText(data)
        case 'message_end':
          return { ...readHead(data), finishReason: 'stop', ...readMessageUsage(data), isLast: true }
        case 'error':
          throw toFailure(data)
        default:
          return undefined
      }
    },
    readBody(body) {
      if (body.event === 'error' || typeof body.answer !== 'string') throw toFailure(body)
      return { ...readText(body), finishReason: 'stop', ...readMessageUsage(body) }
    },
    readError: (status, body) => (asText(body.code) === '' ? undefined : toFailure({ ...body, status })),
  }
}

function readText(data: JsonObject): ResponseChunk {
  return { ...readHead(data), text: asText(data.answer) }
}

function readHead({ message_id: id, created_at: created }: JsonObject): ResponseChunk {
  return { id: asText(id), ...(typeof created === 'number' && { created }) }
}

function readMessageUsage({ metadata }: JsonObject): ResponseChunk {
  return readUsage(asJsonObject(asJsonObject(metadata)?.usage), 'prompt_tokens', 'completion_tokens')
}

/** Dify returns 400 for nearly everything, so known error codes decide. */
function toFailure({ status, code, message }: JsonObject): UpstreamFailure {
  const failureClass = CLASS_OF_CODE[asText(code)]
  const reported = typeof status === 'number' && status >= 400 && status < 600 ? { status } : {}
  return failureInBody({
    failureClass: failureClass ?? 'server',
    code: asText(code),
    message: asText(message),
    ...(failureClass === undefined && reported),
  })
}

const CLASS_OF_CODE: Readonly<Record<string, FailureClass>> = {
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
