import { countTokens, tokensOf } from '../count-tokens.ts'
import { DONE } from '../openai-error.ts'
import { openaiUsage, runningUsage } from '../openai-usage.ts'
import { deltasOf } from '../split-deltas.ts'
import { finishReasonOf } from './finish-reason.ts'
import type { Answer, StreamWishes, UpstreamEvent, UpstreamStream } from '../types.ts'

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
