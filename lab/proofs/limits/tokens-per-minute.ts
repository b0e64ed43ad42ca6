import type { LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import { countBy, unexpectedResponses, sendRequests } from '@tidegate/e2e/scenarios/limits/send-requests.ts'

export interface TokensPlan {
  requests: number
  concurrency: number
  tokensPerMinute: number
}

export interface TokensResult {
  admittedTokens: number
  /** The limit plus what refilled during the run. */
  allowedTokens: number
  rejected: number
  milliseconds: number
  failures: string[]
}

const PROMPT_TOKENS = 490
const RESPONSE_TOKENS = 10
const REQUEST_TOKENS = PROMPT_TOKENS + RESPONSE_TOKENS
/** The estimate of the gateway: four characters per token plus the overhead of a message. */
const CONTENT = 'tide'.repeat(PROMPT_TOKENS - 7)
const TOLERANCE = 0.01

/** Sends requests against a token budget, where output tokens are known only afterwards. */
export async function countModelTokens(site: LimitsSite, plan: TokensPlan): Promise<TokensResult> {
  const { upstream, nodes } = site
  const { requests, concurrency, tokensPerMinute } = plan
  upstream.reset()
  upstream.always({ text: 'ok', usage: { prompt_tokens: PROMPT_TOKENS, completion_tokens: RESPONSE_TOKENS } })
  const key = await site.newKey({ tokens_per_minute: tokensPerMinute })
  const startedAt = performance.now()

  const responses = await sendRequests({ nodes, key, requests, concurrency, content: CONTENT })

  const milliseconds = performance.now() - startedAt
  const admitted = upstream.requests.length
  upstream.reset()
  const admittedTokens = admitted * REQUEST_TOKENS
  const allowedTokens = Math.round(tokensPerMinute * (1 + milliseconds / 60_000))
  const rejected = countBy(responses, 429, 'token_tokens_per_minute_limited')
  const failures = unexpectedResponses(responses, ['200', '429 token_tokens_per_minute_limited'])
  if (admittedTokens > allowedTokens * (1 + TOLERANCE) + REQUEST_TOKENS) {
    failures.push(`${admittedTokens} tokens were accepted, ${allowedTokens} are allowed`)
  }
  if (admittedTokens < tokensPerMinute * (1 - TOLERANCE)) {
    failures.push(`only ${admittedTokens} tokens of ${tokensPerMinute} were accepted`)
  }
  return { admittedTokens, allowedTokens, rejected, milliseconds, failures }
}
