import type { Answer } from '../types.ts'

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
