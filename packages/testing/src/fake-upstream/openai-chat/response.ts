import { DONE, openaiUsage, runningUsage } from '../openai-wire.ts'
import { countTokens, deltasOf, tokensOf } from '../tokens.ts'
import type { ChatResponse, StreamOptions, UpstreamEvent, UpstreamStream, UsagePlacement } from '../types.ts'

/** The response of a request without `stream`. */
export function completionOf(response: ChatResponse, placement: UsagePlacement = 'asked'): Record<string, unknown> {
  return {
    id: `chatcmpl-fake-${response.sequence}`,
    object: 'chat.completion',
    created: response.created,
    model: response.request.model,
    choices: [{ index: 0, message: messageOf(response), logprobs: null, finish_reason: finishReasonOf(response) }],
    ...(placement !== 'missing' && { usage: openaiUsage(response) }),
    system_fingerprint: 'fp_fake',
  }
}

function messageOf({ text, reasoning, toolCalls, refusal, request }: ChatResponse): Record<string, unknown> {
  return {
    role: 'assistant',
    content: text === '' && (toolCalls.length > 0 || refusal !== '') ? null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: input }) =>
        request.textTools?.has(name)
          ? { id, type: 'custom', custom: { name, input } }
          : { id, type: 'function', function: { name, arguments: input } },
      ),
    }),
    refusal: refusal === '' ? null : refusal,
  }
}

/** OpenAI's finish reason. */
export function finishReasonOf({ finish, finishReason }: ChatResponse): string {
  return finishReason ?? FINISH_REASONS[finish]
}

const FINISH_REASONS: Record<ChatResponse['finish'], string> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  refusal: 'content_filter',
}

/** The events of a stream: role, reasoning, content, refusal, tool calls, finish, usage. */
export function chatStream(
  response: ChatResponse,
  { placement = 'asked', usageOnFinish = false, deltaLength }: StreamOptions,
): UpstreamStream {
  const isAsked = typeof placement === 'object' || placement === 'asked'
  const hasUsage = isAsked && !usageOnFinish && response.request.includeUsage
  const pieces = (text: string, member: string, isContent = false) =>
    deltasOf(text, deltaLength).map((part) => ({
      delta: { [member]: part },
      text: isContent ? part : '',
      tokens: countTokens(part),
    }))
  const deltas = [
    { delta: { role: 'assistant', content: '' }, text: '', tokens: 0 },
    ...pieces(response.reasoning, 'reasoning_content'),
    ...pieces(response.text, 'content', true),
    ...pieces(response.refusal, 'refusal'),
    ...toolDeltasOf(response),
  ]

  let sentTokens = 0
  const events = deltas.map(({ delta, text, tokens }): UpstreamEvent => {
    sentTokens += tokens
    const usage = placement === 'running' ? runningUsage(response, sentTokens) : hasUsage ? null : undefined
    return eventOf(response, [{ index: 0, delta, logprobs: null, finish_reason: null }], usage, text, tokens)
  })
  const finish = [{ index: 0, delta: {}, logprobs: null, finish_reason: finishReasonOf(response) }]
  const counted = usageOnFinish || placement === 'with-finish' || placement === 'running'
  events.push(eventOf(response, finish, counted ? openaiUsage(response) : hasUsage ? null : undefined))
  if (hasUsage) events.push(eventOf(response, [], openaiUsage(response)))
  return { events, endMark: DONE }
}

function eventOf(response: ChatResponse, choices: unknown[], usage: unknown, text = '', tokens = 0): UpstreamEvent {
  const { sequence, created, request } = response
  const id = `chatcmpl-fake-${sequence}`
  const object = 'chat.completion.chunk'
  const chunk = { id, object, created, model: request.model, system_fingerprint: 'fp_fake', choices, usage }
  return { data: JSON.stringify(chunk), text, tokens }
}

/** A call starts with its id and name; deltas of its arguments have only the index. */
function toolDeltasOf({ toolCalls, request }: ChatResponse) {
  return toolCalls.flatMap(({ id, name, arguments: input }, index) => {
    const type = request.textTools?.has(name) ? 'custom' : 'function'
    const member = type === 'custom' ? 'input' : 'arguments'
    const open = { index, id, type, [type]: { name, [member]: '' } }
    return [
      { delta: { tool_calls: [open] }, text: '', tokens: countTokens(name) },
      ...tokensOf(input).map((part) => ({
        delta: { tool_calls: [{ index, [type]: { [member]: part } }] },
        text: '',
        tokens: 1,
      })),
    ]
  })
}
