import type { PromptParts } from '@tidegate/dialects'
import { countTokens } from '../count-tokens/index.ts'
import { estimateTokens } from '../estimate-tokens.ts'

/** Tokens of a prompt: guessed, or counted when it is near the most that a channel which could serve it takes. */
export async function measurePrompt(
  model: string,
  { texts, otherTokens }: PromptParts,
  smallestLimit: number,
): Promise<number> {
  const guess = estimateTokens(texts) + otherTokens
  // A guess is never more than about half off, so far from every limit it is good enough.
  return guess > smallestLimit / 2 ? otherTokens + (await countTokens(model, texts)) : guess
}
