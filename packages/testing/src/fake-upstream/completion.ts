import type { Answer } from './compose-answer.ts'
import type { UsagePlacement } from './script.ts'

/** The answer as one JSON object, the way a call without `stream` gets it. */
export function completionOf(answer: Answer, placement: UsagePlacement = 'asked'): Record<string, unknown> {
  return {
    id: answer.id,
    object: 'chat.completion',
    created: answer.created,
    model: answer.model,
    choices: [{ index: 0, message: messageOf(answer), logprobs: null, finish_reason: answer.finishReason }],
    ...(placement !== 'missing' && { usage: answer.usage }),
    system_fingerprint: 'fp_fake',
  }
}

function messageOf({ text, reasoning, toolCalls }: Answer): Record<string, unknown> {
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
    refusal: null,
  }
}
