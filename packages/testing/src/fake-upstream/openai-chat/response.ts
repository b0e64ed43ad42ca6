import { DONE, openaiUsage, runningUsage } from '../openai-wire.ts'
import { countTokens, deltasOf, tokensOf } from '../tokens.ts'
import type { Answer, StreamWishes, UpstreamEvent, UpstreamStream, UsagePlacement } from '../types.ts'

/** The answer as one JSON object, the way a call without `stream` gets it. */
export function completionOf(answer: Answer, placement: UsagePlacement = 'asked'): Record<string, unknown> {
  return {
    id: `chatcmpl-fake-${answer.sequence}`,
    object: 'chat.completion',
    created: answer.created,
    model: answer.asked.model,
    choices: [{ index: 0, message: messageOf(answer), logprobs: null, finish_reason: finishReasonOf(answer) }],
    ...(placement !== 'missing' && { usage: openaiUsage(answer) }),
    system_fingerprint: 'fp_fake',
  }
}

function messageOf({ text, reasoning, toolCalls, refusal, asked }: Answer): Record<string, unknown> {
  return {
    role: 'assistant',
    content: text === '' && (toolCalls.length > 0 || refusal !== '') ? null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: input }) =>
        asked.textTools?.has(name)
          ? { id, type: 'custom', custom: { name, input } }
          : { id, type: 'function', function: { name, arguments: input } },
      ),
    }),
    refusal: refusal === '' ? null : refusal,
  }
}

/** OpenAI's word for why the model stopped. */
export function finishReasonOf({ finish, finishReason }: Answer): string {
  return finishReason ?? WORDS[finish]
}

const WORDS: Record<Answer['finish'], string> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  refusal: 'content_filter',
}

/** The answer as the events of a stream: role, reasoning, content, refusal, tool calls, finish, usage. */
export function chatStream(answer: Answer, { placement = 'asked', deltaLength }: StreamWishes): UpstreamStream {
  const asked = typeof placement === 'object' || placement === 'asked' ? answer.asked.includeUsage : false
  const pieces = (text: string, member: string, isContent = false) =>
    deltasOf(text, deltaLength).map((part) => ({
      delta: { [member]: part },
      text: isContent ? part : '',
      tokens: countTokens(part),
    }))
  const deltas = [
    { delta: { role: 'assistant', content: '' }, text: '', tokens: 0 },
    ...pieces(answer.reasoning, 'reasoning_content'),
    ...pieces(answer.text, 'content', true),
    ...pieces(answer.refusal, 'refusal'),
    ...toolDeltasOf(answer),
  ]

  let said = 0
  const events = deltas.map(({ delta, text, tokens }): UpstreamEvent => {
    said += tokens
    const usage = placement === 'running' ? runningUsage(answer, said) : asked ? null : undefined
    return eventOf(answer, [{ index: 0, delta, logprobs: null, finish_reason: null }], usage, text, tokens)
  })
  const finish = [{ index: 0, delta: {}, logprobs: null, finish_reason: finishReasonOf(answer) }]
  const counted = placement === 'with-finish' || placement === 'running'
  events.push(eventOf(answer, finish, counted ? openaiUsage(answer) : asked ? null : undefined))
  if (asked) events.push(eventOf(answer, [], openaiUsage(answer)))
  return { events, endMark: DONE }
}

function eventOf(answer: Answer, choices: unknown[], usage: unknown, text = '', tokens = 0): UpstreamEvent {
  const { sequence, created, asked } = answer
  const id = `chatcmpl-fake-${sequence}`
  const object = 'chat.completion.chunk'
  const chunk = { id, object, created, model: asked.model, system_fingerprint: 'fp_fake', choices, usage }
  return { data: JSON.stringify(chunk), text, tokens }
}

/** A call opens with its id and name; its arguments follow in pieces that name only the index. */
function toolDeltasOf({ toolCalls, asked }: Answer) {
  return toolCalls.flatMap(({ id, name, arguments: input }, index) => {
    const type = asked.textTools?.has(name) ? 'custom' : 'function'
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
