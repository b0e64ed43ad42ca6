import { bearerOf, openaiError } from '../openai-wire.ts'
import { checkCompaction, checkPrevious, checkReferences, checkResponses } from './check-request.ts'
import { compactionOf, outputOf, responseId, responseOf, responsesStream } from './response.ts'
import type { InputItem, InputPart, ResponsesRequest, ResponsesTool } from './request.ts'
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
    checkReferences(request, state, key)
    if (request.store !== false) state.responses.set(responseId(received), key)
  },
  responseBody: (response, state, placement) =>
    JSON.stringify(responseOf(response, outputOf(response, state), 'ended', placement)),
  responseStream: responsesStream,
  errorBody: openaiError,
  errorEvent,
}

/** Compaction of a conversation. Only the account that made the item can read it. */
export const openaiCompaction: Protocol = {
  ...openaiResponses,
  matches: ({ method, path }) => method === 'POST' && path === '/v1/responses/compact',
  check(received, state) {
    const request = (received.body ?? {}) as ResponsesRequest
    checkCompaction(request, state)
    checkPrevious(request, state, bearerOf(received))
  },
  read: (received) => ({ ...read(received), stream: false }),
  responseBody: (response, { signatures }) => JSON.stringify(compactionOf(response, signatures)),
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
    textTools: new Set(textToolsOf([request, ...items])),
    signReasoning: request.include?.includes('reasoning.encrypted_content') === true,
  }
}

/** Tools of the request, and those that items add during the conversation. A namespace contains further tools. */
function textToolsOf(owners: readonly ToolOwner[]): string[] {
  const tools = owners.flatMap((owner) => (owner.tools ?? []) as readonly ResponsesTool[])
  if (tools.length === 0) return []
  const own = tools.flatMap(({ type, name }) => (type === 'custom' && name ? [name] : []))
  return [...own, ...textToolsOf(tools)]
}

interface ToolOwner {
  readonly tools?: unknown
  readonly [member: string]: unknown
}

function textOf(content: string | readonly InputPart[] | null | undefined): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}

const CODES: Record<number, string> = { 400: 'invalid_prompt', 429: 'rate_limit_exceeded' }
