import { describe, expect, it } from 'vitest'
import { addRateLimitHeaders, durationText, tightest } from './rate-limit-headers.ts'

const requests = { key: 'r', limit: 60, remaining: 12, resetSeconds: 48 }
const tokens = { key: 't', limit: 9_000, remaining: 0, resetSeconds: 61.5 }

/** Names and values in turn, as an object. */
function rateLimitHeaders(
  ...options: Parameters<typeof addRateLimitHeaders> extends [string[], ...infer Rest] ? Rest : never
) {
  const list: string[] = []
  addRateLimitHeaders(list, ...options)
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : [])))
}

describe('the rate limit headers', () => {
  it('writes the headers of OpenAI', () => {
    expect(rateLimitHeaders({ requests, tokens }, { protocol: 'openai-chat', nowMs: 0 })).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '12',
      'x-ratelimit-reset-requests': '48s',
      'x-ratelimit-limit-tokens': '9000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1m2s',
    })
  })

  it("writes the headers of Anthropic too on Anthropic's protocol", () => {
    const headers = rateLimitHeaders(
      { tokens },
      { protocol: 'anthropic-messages', nowMs: Date.UTC(2026, 0, 31, 23, 59) },
    )

    expect(headers).toEqual({
      'x-ratelimit-limit-tokens': '9000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1m2s',
      'anthropic-ratelimit-tokens-limit': '9000',
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-02-01T00:00:02Z',
    })
  })

  it('writes nothing without budgets', () => {
    expect(rateLimitHeaders({}, { protocol: 'anthropic-messages', nowMs: 0 })).toEqual({})
  })
})

describe('durationText', () => {
  it.each([
    [0, '0s'],
    [0.0201, '21ms'],
    [0.9999, '1000ms'],
    [1, '1s'],
    [59.2, '1m0s'],
    [360, '6m0s'],
    [3_600, '1h0m0s'],
    [90_061, '25h1m1s'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })
})

describe('tightest', () => {
  it('is the budget with the least remaining, and of equal ones the one with the latest reset', () => {
    const wide = { key: 'wide', limit: 100, remaining: 3, resetSeconds: 10 }
    const slow = { ...wide, key: 'slow', resetSeconds: 900 }

    expect(tightest([requests, wide, slow])).toBe(slow)
    expect(tightest([tokens, slow])).toBe(tokens)
    expect(tightest([])).toBeUndefined()
  })
})
