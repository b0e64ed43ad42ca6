import type { Answer } from './types.ts'

/** Counts in the words of chat and legacy completions. Given ones are repeated with every detail. */
export function openaiUsage({ counts, givenUsage }: Answer): Record<string, unknown> {
  const { input, output, reasoning } = counts
  if (givenUsage !== undefined) return { total_tokens: input + output, ...givenUsage }
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(reasoning > 0 && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

/** The counts while the answer is being said. */
export function runningUsage(answer: Answer, said: number): Record<string, unknown> {
  const { input, output } = answer.counts
  const completion = Math.min(said, output)
  return { ...openaiUsage(answer), completion_tokens: completion, total_tokens: input + completion }
}
