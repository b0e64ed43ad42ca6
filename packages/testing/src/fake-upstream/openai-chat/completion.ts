import { openaiUsage } from '../openai-usage.ts'
import { finishReasonOf } from './finish-reason.ts'
import type { Answer, UsagePlacement } from '../types.ts'

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
