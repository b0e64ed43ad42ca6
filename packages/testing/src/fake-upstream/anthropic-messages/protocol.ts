import { writeJson } from '../write-json.ts'
import { checkMessages } from './check-request.ts'
import { messageOf, messagesStream } from './response.ts'
import { type Block, blocksOf, type MessagesRequest } from './request.ts'
import type { ChatRequest, Failure, ReceivedRequest, Protocol } from '../types.ts'

/** Anthropic's Messages. */
export const anthropicMessages: Protocol = {
  id: 'anthropic-messages',
  matches: ({ method, path }) => method === 'POST' && path === '/v1/messages',
  keyOf: ({ headers }) => headers['x-api-key'] as string | undefined,
  read,
  check: checkMessages,
  responseBody: (response, state, placement) => writeJson(messageOf(response, state, placement)),
  responseStream: messagesStream,
  errorBody: anthropicError,
  errorEvent: (failure) => ({ name: 'error', data: JSON.stringify(anthropicError(failure)), text: '', tokens: 0 }),
}

export function anthropicError({ status, message }: Failure) {
  const type = TYPES[status] ?? 'api_error'
  return { type: 'error', error: { type, message }, request_id: 'req_fake' }
}

function read({ body }: ReceivedRequest): ChatRequest {
  const request = (body ?? {}) as MessagesRequest
  const messages = request.messages ?? []
  return {
    model: request.model ?? 'unknown',
    stream: request.stream === true,
    includeUsage: true,
    limit: typeof request.max_tokens === 'number' ? request.max_tokens : Infinity,
    stop: request.stop_sequences ?? [],
    lastUserText: textOf(blocksOf(messages.findLast(({ role }) => role === 'user')?.content)),
    promptTexts: [request.system, ...messages.map(({ content }) => content)].map((part) => textOf(blocksOf(part))),
    showReasoning: request.thinking?.display !== 'omitted',
    signReasoning: true,
  }
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => block.text ?? textOf(blocksOf(block.content))).join('')
}

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
