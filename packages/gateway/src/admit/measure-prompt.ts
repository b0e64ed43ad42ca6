import { openaiChat, type ChatRequest } from '@tidegate/dialects'
import { countTokens } from '../count-tokens.ts'
import type { CatalogChannel } from '../ports.ts'
import { estimateTokens } from '../estimate-tokens.ts'

/** Tokens of a prompt: guessed, or counted when a channel that could serve it takes no more than so many. */
export async function measurePrompt(request: ChatRequest, channels: readonly CatalogChannel[]): Promise<number> {
  const { texts, otherTokens } = openaiChat.promptParts(request)
  const guess = estimateTokens(texts) + otherTokens
  // A guess is never more than about half off, so far from every limit it is good enough.
  const isClose = channels.some(({ maxInputTokens }) => maxInputTokens > 0 && guess > maxInputTokens / 2)
  return isClose ? otherTokens + (await countTokens(request.model, texts)) : guess
}
