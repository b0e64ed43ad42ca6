import type { LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import { countBy, oddAnswers, offerCalls } from '@tidegate/e2e/scenarios/limits/send-requests.ts'

export interface TokensPlan {
  calls: number
  atOnce: number
  tokensPerMinute: number
}

export interface TokensCounted {
  admittedTokens: number
  /** The limit, and what refilled of it while the run lasted. */
  allowedTokens: number
  refused: number
  milliseconds: number
  short: string[]
}

const PROMPT_TOKENS = 490
const ANSWER_TOKENS = 10
const CALL_TOKENS = PROMPT_TOKENS + ANSWER_TOKENS
/** What the gateway takes this for before it knows: four letters a token, and what surrounds a message. */
const CONTENT = 'tide'.repeat(PROMPT_TOKENS - 7)
const TOLERANCE = 0.01

/** Calls against a budget of model tokens, of which answers take a part that is known only afterwards. */
export async function countModelTokens(site: LimitsSite, plan: TokensPlan): Promise<TokensCounted> {
  const { upstream, nodes } = site
  const { calls, atOnce, tokensPerMinute } = plan
  upstream.reset()
  upstream.always({ text: 'ok', usage: { prompt_tokens: PROMPT_TOKENS, completion_tokens: ANSWER_TOKENS } })
  const key = await site.newKey({ tokens_per_minute: tokensPerMinute })
  const startedAt = performance.now()

  const answers = await offerCalls({ nodes, key, calls, atOnce, content: CONTENT })

  const milliseconds = performance.now() - startedAt
  const admitted = upstream.requests.length
  upstream.reset()
  const admittedTokens = admitted * CALL_TOKENS
  const allowedTokens = Math.round(tokensPerMinute * (1 + milliseconds / 60_000))
  const refused = countBy(answers, 429, 'token_tokens_per_minute_limited')
  const short = oddAnswers(answers, ['200', '429 token_tokens_per_minute_limited'])
  if (admittedTokens > allowedTokens * (1 + TOLERANCE) + CALL_TOKENS) {
    short.push(`${admittedTokens} tokens were let in where ${allowedTokens} were allowed`)
  }
  if (admittedTokens < tokensPerMinute * (1 - TOLERANCE)) {
    short.push(`only ${admittedTokens} tokens were let in of ${tokensPerMinute}`)
  }
  return { admittedTokens, allowedTokens, refused, milliseconds, short }
}
