import { bearerOf, openaiError, openaiErrorEvent } from '../openai-wire.ts'
import { type ChatRequest, checkChat } from './check-request.ts'
import { chatStream, completionOf } from './response.ts'
import type { Asked, ReceivedRequest, WireForm } from '../types.ts'

/** OpenAI's chat completions, as most vendors speak them. */
export const openaiChat: WireForm = {
  id: 'openai-chat',
  serves: ({ method, path }) => method === 'POST' && path === '/v1/chat/completions',
  keyOf: bearerOf,
  read,
  check: (request, { strict }) => checkChat(request.body ?? {}, strict),
  wholeAnswer: (answer, _vendor, placement) => JSON.stringify(completionOf(answer, placement)),
  streamOf: (answer, _vendor, wishes) => chatStream(answer, wishes),
  errorBody: openaiError,
  errorEvent: openaiErrorEvent,
}

function read({ body }: ReceivedRequest): Asked {
  const request = (body ?? {}) as ChatRequest
  const messages = request.messages ?? []
  return {
    model: request.model ?? 'unknown',
    stream: request.stream === true,
    includeUsage: request.stream_options?.include_usage === true,
    limit: request.max_completion_tokens ?? request.max_tokens ?? Infinity,
    stop: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []),
    lastUserText: textOf(messages.findLast(({ role }) => role === 'user')?.content),
    promptTexts: messages.map(({ content }) => textOf(content)),
    showThoughts: true,
    sealThoughts: false,
    textTools: new Set((request.tools ?? []).flatMap(({ custom }) => custom?.name ?? [])),
  }
}

/** Content is a text, or a list of parts of which only the text parts count. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('')
}
