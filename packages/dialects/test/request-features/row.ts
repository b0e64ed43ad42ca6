/** Each protocol by its letter: chat, Responses, Anthropic, Gemini and interactions. */
export type Letter = 'C' | 'R' | 'A' | 'G' | 'I'

/** The request is rejected. */
export const REJECTED = Symbol('rejected')

/** A pattern of the body that carries a feature, or the name of the feature in the list of what is lost. */
type Outcome = RegExp | string | typeof REJECTED

/** A feature of requests, and what happens to it at the providers of other protocols. */
export interface FeatureRow {
  readonly feature: string
  readonly fields: () => object
  readonly at: Partial<Record<Letter, Outcome>>
}

export const ASKS = { role: 'user', content: 'When is high tide?' }
export const ASKS_G = { role: 'user', parts: [{ text: 'When is high tide?' }] }
export const ASKS_I = { type: 'user_input', content: [{ type: 'text', text: 'When is high tide?' }] }
export const everywhere = (outcome: Outcome): FeatureRow['at'] => ({
  C: outcome,
  R: outcome,
  A: outcome,
  G: outcome,
  I: outcome,
})
export const inGoogle = (outcome: Outcome): FeatureRow['at'] => ({ G: outcome, I: outcome })

export const ANY_SEARCH = {
  R: /"web_search"/,
  A: /"web_search_20250305"/,
  G: /"googleSearch":\{\}/,
  I: /"google_search"/,
}
const ERROR_TEXT = /"Error: no such port"/
export const ERRORS = {
  C: ERROR_TEXT,
  R: ERROR_TEXT,
  A: /"is_error":true/,
  G: /"response":\{"error":"no such port"\}/,
  I: /"is_error":true,"result":"no such port"/,
}
export const MARKS = {
  C: /"prompt_cache_breakpoint":\{"mode":"explicit"/,
  R: /"prompt_cache_breakpoint":\{"mode":"explicit"/,
  A: /"cache_control":\{"type":"ephemeral"/,
}
export const IMAGE = 'iVBORw0KGgo='
export const PDF = 'JVBERi0xLjc='
export const HAS_IMAGE = new RegExp(IMAGE)
export const TITLE = /Almanac/
