import { countOnThread } from './counting-thread.ts'

/**
 * Tokens of some texts as the model would see them. Counted on a thread of its own: a vocabulary takes a quarter of a
 * second to load and a long prompt as long to count, and other calls' streams must not wait for either.
 */
export async function countTokens(model: string, texts: readonly string[]): Promise<number> {
  const spoken = texts.filter((text) => text !== '')
  return spoken.length === 0 ? 0 : countOnThread(model, spoken)
}
