import type { PromptParts } from '@tidegate/dialects'
import { countTokens } from '../count-tokens/index.ts'
import { estimateTokens } from '../estimate-tokens.ts'

/** Tokens of a prompt: guessed, or counted when it is near the most that a channel which could serve it takes. */
export function measurePrompt(
  model: string,
  { texts, otherTokens }: PromptParts,
  smallestLimit: number,
): Promise<number> | number {
  const guess = estimateTokens(texts) + otherTokens
  // A guess is never more than about half off, so far from every limit it is good enough.
  if (guess <= smallestLimit / 2) return guess
  return countTokens(model, texts).then((counted) => otherTokens + counted)
}
