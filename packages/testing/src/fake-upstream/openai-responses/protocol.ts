import { bearerOf, openaiError } from '../openai-wire.ts'
import { checkPrevious, checkResponses } from './check-request.ts'
import { outputOf, responseId, responseOf, responsesStream } from './response.ts'
import type { InputItem, InputPart, ResponsesRequest } from './request.ts'
import type { ChatRequest, Failure, ReceivedRequest, UpstreamEvent, Protocol } from '../types.ts'

/** OpenAI's Responses. */
export const openaiResponses: Protocol = {
  id: 'openai-responses',
  matches: ({ method, path }) => method === 'POST' && path === '/v1/responses',
  keyOf: bearerOf,
  read,
  check(received, state) {
    const request = (received.body ?? {}) as ResponsesRequest
    const key = bearerOf(received)
    checkResponses(request, state)
    checkPrevious(request, state, key)
    if (request.store !== false) state.responses.set(responseId(received), key)
  },
  responseBody: (response, state, placement) =>
    JSON.stringify(responseOf(response, outputOf(response, state), 'ended', placement)),
  responseStream: responsesStream,
  errorBody: openaiError,
  errorEvent,
}

/** An error event is flat, unlike the body of an error. */
function errorEvent({ message, param, code, status }: Failure): UpstreamEvent {
  const event = { type: 'error', code: code ?? CODES[status] ?? 'server_error', message, param: param ?? null }
  return { name: 'error', data: JSON.stringify({ ...event, sequence_number: 0 }), text: '', tokens: 0 }
}

function read({ body }: ReceivedRequest): ChatRequest {
  const request = (body ?? {}) as ResponsesRequest
  const items: readonly InputItem[] =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : (request.input ?? [])
  return {
    model: request.model ?? 'unknown',
    stream: request.stream === true,
    includeUsage: true,
    limit: request.max_output_tokens ?? Infinity,
    stop: [],
    lastUserText: textOf(items.findLast(({ role }) => role === 'user')?.content),
    promptTexts: [request.instructions ?? '', ...items.flatMap((item) => [textOf(item.content), textOf(item.output)])],
    showReasoning: Boolean(request.reasoning?.summary),
    textTools: new Set((request.tools ?? []).flatMap(({ type, name }) => (type === 'custom' && name ? [name] : []))),
    signReasoning: request.include?.includes('reasoning.encrypted_content') === true,
  }
}

function textOf(content: string | readonly InputPart[] | null | undefined): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}

const CODES: Record<number, string> = { 400: 'invalid_prompt', 429: 'rate_limit_exceeded' }
