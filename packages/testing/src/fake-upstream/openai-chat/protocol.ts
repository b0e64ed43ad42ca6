import { bearerOf, openaiError, openaiErrorEvent } from '../openai-wire.ts'
import { type ChatCompletionRequest, checkChat } from './check-request.ts'
import { chatStream, completionOf } from './response.ts'
import type { ChatRequest, ReceivedRequest, Protocol } from '../types.ts'

/** OpenAI's Chat Completions, which most providers support. */
export const openaiChat: Protocol = {
  id: 'openai-chat',
  matches: ({ method, path }) => method === 'POST' && path === '/v1/chat/completions',
  keyOf: bearerOf,
  read,
  check: (request, { strict }) => checkChat(request.body ?? {}, strict),
  responseBody: (response, _state, placement) => JSON.stringify(completionOf(response, placement)),
  responseStream: (response, _state, options) => chatStream(response, options),
  errorBody: openaiError,
  errorEvent: openaiErrorEvent,
}

function read({ body }: ReceivedRequest): ChatRequest {
  const request = (body ?? {}) as ChatCompletionRequest
  const messages = request.messages ?? []
  return {
    model: request.model ?? 'unknown',
    stream: request.stream === true,
    includeUsage: request.stream_options?.include_usage === true,
    limit: request.max_completion_tokens ?? request.max_tokens ?? Infinity,
    stop: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []),
    lastUserText: textOf(messages.findLast(({ role }) => role === 'user')?.content),
    promptTexts: messages.map(({ content }) => textOf(content)),
    showReasoning: true,
    signReasoning: false,
    textTools: new Set((request.tools ?? []).flatMap(({ custom }) => custom?.name ?? [])),
  }
}

/** Text of a content: a text, or the text parts of a list. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('')
}
