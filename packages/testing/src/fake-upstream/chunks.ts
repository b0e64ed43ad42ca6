import type { Answer } from './compose-answer.ts'
import { tokensOf } from './count-tokens.ts'
import type { UsagePlacement } from './script.ts'

/** One event of a stream, with what it adds to the count of what was said. */
export interface UpstreamEvent {
  data: string
  name?: string
  /** Content text in this event; blank for roles, counts and the end mark. */
  text: string
  tokens: number
}

interface StreamWishes {
  includeUsage: boolean
  placement?: UsagePlacement
  deltaLength?: number
}

/** The answer as the events of a stream: role, reasoning, content, tool calls, finish, usage. Without the end mark. */
export function chunksOf(answer: Answer, { includeUsage, placement = 'asked', deltaLength }: StreamWishes) {
  const asked = typeof placement === 'object' || placement === 'asked' ? includeUsage : false
  const deltas = [
    { delta: { role: 'assistant', content: '' }, text: '', tokens: 0 },
    ...deltasOf(answer.reasoning, deltaLength, (part) => ({ reasoning_content: part }), false),
    ...deltasOf(answer.text, deltaLength, (part) => ({ content: part }), true),
    ...toolDeltasOf(answer),
  ]

  let said = 0
  const events = deltas.map(({ delta, text, tokens }): UpstreamEvent => {
    said += tokens
    const usage = placement === 'running' ? runningUsage(answer, said) : asked ? null : undefined
    return eventOf(answer, [{ index: 0, delta, logprobs: null, finish_reason: null }], usage, text, tokens)
  })
  const finish = [{ index: 0, delta: {}, logprobs: null, finish_reason: answer.finishReason }]
  const finishUsage = placement === 'with-finish' || placement === 'running' ? answer.usage : asked ? null : undefined
  events.push(eventOf(answer, finish, finishUsage))
  if (asked) events.push(eventOf(answer, [], answer.usage))
  return events
}

function eventOf(answer: Answer, choices: unknown[], usage: unknown, text = '', tokens = 0): UpstreamEvent {
  const { id, created, model } = answer
  const chunk = { id, object: 'chat.completion.chunk', created, model, system_fingerprint: 'fp_fake', choices, usage }
  return { data: JSON.stringify(chunk), text, tokens }
}

function deltasOf(
  text: string,
  deltaLength: number | undefined,
  wrap: (part: string) => Record<string, unknown>,
  isContent: boolean,
) {
  const parts = deltaLength === undefined ? tokensOf(text) : slicesOf(text, deltaLength)
  return parts.map((part) => ({ delta: wrap(part), text: isContent ? part : '', tokens: tokensOf(part).length }))
}

/** Slices by code points, so that a delta is always valid text. */
function slicesOf(text: string, length: number): string[] {
  const points = [...text]
  return Array.from({ length: Math.ceil(points.length / length) }, (_, index) =>
    points.slice(index * length, (index + 1) * length).join(''),
  )
}

/** A call opens with its id and name; its arguments follow in pieces that name only the index. */
function toolDeltasOf({ toolCalls }: Answer) {
  return toolCalls.flatMap((call, index) => {
    const open = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
    return [
      { delta: { tool_calls: [open] }, text: '', tokens: tokensOf(call.name).length },
      ...tokensOf(call.arguments).map((part) => ({
        delta: { tool_calls: [{ index, function: { arguments: part } }] },
        text: '',
        tokens: 1,
      })),
    ]
  })
}

function runningUsage({ usage }: Answer, said: number) {
  const completion = Math.min(said, usage.completion_tokens)
  return { ...usage, completion_tokens: completion, total_tokens: usage.prompt_tokens + completion }
}
