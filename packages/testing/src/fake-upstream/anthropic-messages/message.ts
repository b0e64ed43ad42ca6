import { Verbatim } from '../write-json.ts'
import type { Answer, UsagePlacement, Vendor } from '../types.ts'

export type AnswerBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Verbatim }

/** The answer as one object. */
export function messageOf(answer: Answer, vendor: Vendor, placement: UsagePlacement = 'asked') {
  return {
    ...openMessage(answer),
    content: blocksOfAnswer(answer, vendor),
    ...stopOf(answer),
    ...(placement !== 'missing' && { usage: usageOf(answer) }),
  }
}

export function openMessage({ sequence, asked }: Answer) {
  return { id: `msg_fake_${sequence}`, type: 'message', role: 'assistant', model: asked.model }
}

/** A refusal is said in plain text; only the stop reason tells. */
export function blocksOfAnswer(answer: Answer, { signatures }: Vendor): AnswerBlock[] {
  const { text, refusal, toolCalls } = answer
  return [
    ...thoughtsOf(answer, signatures),
    ...[text, refusal].filter((said) => said !== '').map((said) => ({ type: 'text' as const, text: said })),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      type: 'tool_use' as const,
      id,
      name,
      input: new Verbatim(input),
    })),
  ]
}

function thoughtsOf({ reasoning, redacted, asked, signature }: Answer, issued: Vendor['signatures']): AnswerBlock[] {
  if (reasoning === '') return []
  if (redacted) return [{ type: 'redacted_thinking', data: issued.issue('anthropic-messages', REDACTED, signature) }]
  const thinking = asked.showThoughts ? reasoning : ''
  return [{ type: 'thinking', thinking, signature: issued.issue('anthropic-messages', thinking, signature) }]
}

/** What a seal was put on when the words it stands for were withheld. */
export const REDACTED = 'redacted'

export function stopOf({ finish, finishReason, stopSequence }: Answer) {
  return { stop_reason: finishReason ?? WORDS[finish], stop_sequence: stopSequence ?? null }
}

/** Unlike elsewhere, what was read from or written to a cache is no part of the input. */
export function usageOf({ counts }: Answer) {
  const { input, cacheRead, cacheWrite, output, reasoning } = counts
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    output_tokens_details: reasoning > 0 ? { thinking_tokens: reasoning } : undefined,
    service_tier: 'standard',
  }
}

const WORDS: Record<Answer['finish'], string> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  refusal: 'refusal',
}
