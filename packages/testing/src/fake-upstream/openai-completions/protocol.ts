import { requireThat } from '../checks.ts'
import { finishReasonOf } from '../openai-chat/response.ts'
import { bearerOf, DONE, openaiError, openaiErrorEvent, openaiUsage, runningUsage } from '../openai-wire.ts'
import { countTokens, deltasOf } from '../tokens.ts'
import type { ChatResponse, ChatRequest, ReceivedRequest, StreamOptions, UpstreamEvent, Protocol } from '../types.ts'

interface CompletionRequest {
  model?: string
  prompt?: string | readonly unknown[]
  stream?: boolean
  stream_options?: { include_usage?: boolean } | null
  max_tokens?: number | null
  stop?: string | readonly string[] | null
}

/** OpenAI's legacy completions: one text in, one text out. */
export const openaiCompletions: Protocol = {
  id: 'openai-completions',
  matches: ({ method, path }) => method === 'POST' && path === '/v1/completions',
  keyOf: bearerOf,
  read,
  check({ body }) {
    const { model, prompt } = (body ?? {}) as CompletionRequest
    requireThat(model, 'you must provide a model parameter', 'model')
    requireThat(typeof prompt === 'string' || Array.isArray(prompt), 'you must provide a prompt', 'prompt')
  },
  responseBody: (response, _state, placement) =>
    JSON.stringify({
      ...objectOf(response, response.text, finishReasonOf(response)),
      ...(placement !== 'missing' && { usage: openaiUsage(response) }),
    }),
  responseStream: (response, _state, options) => ({ events: eventsOf(response, options), endMark: DONE }),
  errorBody: openaiError,
  errorEvent: openaiErrorEvent,
}

function read({ body }: ReceivedRequest): ChatRequest {
  const request = (body ?? {}) as CompletionRequest
  const prompts = typeof request.prompt === 'string' ? [request.prompt] : (request.prompt ?? []).map(String)
  return {
    model: request.model ?? 'unknown',
    stream: request.stream === true,
    includeUsage: request.stream_options?.include_usage === true,
    limit: request.max_tokens ?? Infinity,
    stop: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []),
    lastUserText: prompts.at(-1) ?? '',
    promptTexts: prompts,
    showReasoning: false,
    signReasoning: false,
  }
}

function eventsOf(response: ChatResponse, { placement = 'asked', deltaLength }: StreamOptions): UpstreamEvent[] {
  const hasUsage = typeof placement === 'object' || placement === 'asked' ? response.request.includeUsage : false
  let sentTokens = 0
  const events = deltasOf(response.text, deltaLength).map((text): UpstreamEvent => {
    const tokens = countTokens(text)
    sentTokens += tokens
    const usage = placement === 'running' ? runningUsage(response, sentTokens) : hasUsage ? null : undefined
    return { data: JSON.stringify({ ...objectOf(response, text, null), usage }), text, tokens }
  })
  const counted = placement === 'with-finish' || placement === 'running'
  const last = {
    ...objectOf(response, '', finishReasonOf(response)),
    usage: counted ? openaiUsage(response) : undefined,
  }
  events.push({ data: JSON.stringify(last), text: '', tokens: 0 })
  if (hasUsage) {
    const usage = { ...objectOf(response, '', null), choices: [], usage: openaiUsage(response) }
    events.push({ data: JSON.stringify(usage), text: '', tokens: 0 })
  }
  return events
}

function objectOf({ sequence, created, request }: ChatResponse, text: string, finishReason: string | null) {
  return {
    id: `cmpl-fake-${sequence}`,
    object: 'text_completion',
    created,
    model: request.model,
    choices: [{ index: 0, text, logprobs: null, finish_reason: finishReason }],
  }
}

/** The same completions at DeepSeek's beta path. */
export const deepseekCompletions: Protocol = {
  ...openaiCompletions,
  matches: ({ method, path }) => method === 'POST' && path === '/beta/completions',
}
