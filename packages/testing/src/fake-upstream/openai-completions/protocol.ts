import { demand } from '../checks.ts'
import { finishReasonOf } from '../openai-chat/response.ts'
import { bearerOf, DONE, openaiError, openaiErrorEvent, openaiUsage, runningUsage } from '../openai-wire.ts'
import { countTokens, deltasOf } from '../tokens.ts'
import type { Answer, Asked, ReceivedRequest, StreamWishes, UpstreamEvent, WireForm } from '../types.ts'

interface CompletionRequest {
  model?: string
  prompt?: string | readonly unknown[]
  stream?: boolean
  stream_options?: { include_usage?: boolean } | null
  max_tokens?: number | null
  stop?: string | readonly string[] | null
}

/** OpenAI's legacy completions: one text in, one text out. */
export const openaiCompletions: WireForm = {
  id: 'openai-completions',
  serves: ({ method, path }) => method === 'POST' && path === '/v1/completions',
  keyOf: bearerOf,
  read,
  check({ body }) {
    const { model, prompt } = (body ?? {}) as CompletionRequest
    demand(model, 'you must provide a model parameter', 'model')
    demand(typeof prompt === 'string' || Array.isArray(prompt), 'you must provide a prompt', 'prompt')
  },
  wholeAnswer: (answer, _vendor, placement) =>
    JSON.stringify({
      ...objectOf(answer, answer.text, finishReasonOf(answer)),
      ...(placement !== 'missing' && { usage: openaiUsage(answer) }),
    }),
  streamOf: (answer, _vendor, wishes) => ({ events: eventsOf(answer, wishes), endMark: DONE }),
  errorBody: openaiError,
  errorEvent: openaiErrorEvent,
}

function read({ body }: ReceivedRequest): Asked {
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
    showThoughts: false,
    sealThoughts: false,
  }
}

function eventsOf(answer: Answer, { placement = 'asked', deltaLength }: StreamWishes): UpstreamEvent[] {
  const asked = typeof placement === 'object' || placement === 'asked' ? answer.asked.includeUsage : false
  let said = 0
  const events = deltasOf(answer.text, deltaLength).map((text): UpstreamEvent => {
    const tokens = countTokens(text)
    said += tokens
    const usage = placement === 'running' ? runningUsage(answer, said) : asked ? null : undefined
    return { data: JSON.stringify({ ...objectOf(answer, text, null), usage }), text, tokens }
  })
  const counted = placement === 'with-finish' || placement === 'running'
  const last = { ...objectOf(answer, '', finishReasonOf(answer)), usage: counted ? openaiUsage(answer) : undefined }
  events.push({ data: JSON.stringify(last), text: '', tokens: 0 })
  if (asked) {
    const usage = { ...objectOf(answer, '', null), choices: [], usage: openaiUsage(answer) }
    events.push({ data: JSON.stringify(usage), text: '', tokens: 0 })
  }
  return events
}

function objectOf({ sequence, created, asked }: Answer, text: string, finishReason: string | null) {
  return {
    id: `cmpl-fake-${sequence}`,
    object: 'text_completion',
    created,
    model: asked.model,
    choices: [{ index: 0, text, logprobs: null, finish_reason: finishReason }],
  }
}

/** The same completions, where DeepSeek tries them out. */
export const deepseekCompletions: WireForm = {
  ...openaiCompletions,
  serves: ({ method, path }) => method === 'POST' && path === '/beta/completions',
}
