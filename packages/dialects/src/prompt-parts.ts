/** What to count of a prompt: texts for a tokenizer, and the tokens everything else is known or taken to cost. */
export interface PromptParts {
  readonly texts: readonly string[]
  readonly otherTokens: number
}
