import type { PromptParts } from '@tidegate/dialects'
import { countTokens } from './count-tokens.ts'
import { LONG_TEXT, yieldIfLarge } from './yield-event-loop.ts'

/** A cheap estimate of tokens, for credit reservations: four ASCII characters or one other character per token. */
export function estimateTokens(texts: readonly string[]): number {
  let quarters = 0
  for (const text of texts) quarters += quartersIn(text)
  return Math.ceil(quarters / 4)
}

/** The same estimate for texts of any length, in slices that yield to other requests. */
async function estimateInSlices(texts: readonly string[]): Promise<number> {
  let quarters = 0
  let sinceTurn = 0
  for (const text of texts) {
    for (let from = 0; from < text.length; from += LONG_TEXT) {
      const slice = text.slice(from, from + LONG_TEXT)
      quarters += quartersIn(slice)
      sinceTurn += slice.length
      const turn = yieldIfLarge(sinceTurn)
      if (!turn) continue
      await turn
      sinceTurn = 0
    }
  }
  return Math.ceil(quarters / 4)
}

function quartersIn(text: string): number {
  // ASCII has as many bytes as characters. Native code checks many of them at once.
  if (Buffer.byteLength(text) === text.length) return text.length
  let quarters = 0
  for (let at = 0; at < text.length; at += 1) quarters += text.charCodeAt(at) < 128 ? 1 : 4
  return quarters
}

/** Tokens of a prompt: estimated, or counted when it is near the smallest input limit. */
export function measurePrompt(model: string, parts: PromptParts, smallestLimit: number): Promise<number> | number {
  if (isLong(parts))
    return estimateInSlices(parts.texts).then((estimate) => countNearLimit(model, parts, estimate, smallestLimit))
  return countNearLimit(model, parts, estimateTokens(parts.texts), smallestLimit)
}

function isLong({ texts }: PromptParts): boolean {
  let characters = 0
  for (const text of texts) characters += text.length
  return characters > LONG_TEXT
}

function countNearLimit(
  model: string,
  { texts, otherTokens }: PromptParts,
  estimated: number,
  smallestLimit: number,
): Promise<number> | number {
  const estimate = estimated + otherTokens
  // An estimate is at most about half off, so far from every limit it is good enough.
  if (estimate <= smallestLimit / 2) return estimate
  return countTokens(model, texts).then((counted) => otherTokens + counted)
}
