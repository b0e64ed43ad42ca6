import type { PromptParts } from '@tidegate/dialects'
import { countTokens } from './count-tokens.ts'
import { estimateInTurns, estimateTokens } from './estimate-tokens.ts'
import { LONG_TEXT } from './yield-event-loop.ts'

/** Tokens of a prompt: guessed, or counted when it is near the most that a channel which could serve it takes. */
export function measurePrompt(model: string, parts: PromptParts, smallestLimit: number): Promise<number> | number {
  if (isLong(parts)) return estimateInTurns(parts.texts).then((guess) => sureOf(model, parts, guess, smallestLimit))
  return sureOf(model, parts, estimateTokens(parts.texts), smallestLimit)
}

function isLong({ texts }: PromptParts): boolean {
  let letters = 0
  for (const text of texts) letters += text.length
  return letters > LONG_TEXT
}

function sureOf(
  model: string,
  { texts, otherTokens }: PromptParts,
  guessed: number,
  smallestLimit: number,
): Promise<number> | number {
  const guess = guessed + otherTokens
  // A guess is never more than about half off, so far from every limit it is good enough.
  if (guess <= smallestLimit / 2) return guess
  return countTokens(model, texts).then((counted) => otherTokens + counted)
}
