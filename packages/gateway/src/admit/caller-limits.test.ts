import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { aCaller } from '../../test/support/catalog.ts'
import { isTokenLimit, limitsOf } from './caller-limits.ts'

const off = readSettings(new Map())
const perUser = {
  ...off,
  ModelRequestRateLimitEnabled: true,
  ModelRequestRateLimitCount: 3,
  ModelRequestRateLimitSuccessCount: 2,
}
const limited = aCaller({
  rateLimit: { windowSeconds: 60, requests: 0, successes: 1 },
  tokensPerMinute: 500,
  maxConcurrency: 4,
})

describe('limitsOf', () => {
  it('has the windows of the token and its owner, the token limit and the concurrency limit', () => {
    expect(limitsOf(limited, 'default', perUser)).toEqual({
      requests: [
        { key: 'calls:user:7:requests', limit: 3, windowSeconds: 60, standing: true },
        { key: 'calls:token:70:successes', limit: 1, windowSeconds: 60 },
        { key: 'calls:user:7:successes', limit: 2, windowSeconds: 60 },
      ],
      successes: [
        { key: 'calls:token:70:successes', limit: 1, windowSeconds: 60 },
        { key: 'calls:user:7:successes', limit: 2, windowSeconds: 60 },
      ],
      tokens: { key: 'calls:token:70:tokens', limit: 500, windowSeconds: 60 },
      concurrency: { key: 'calls:token:70', limit: 4 },
    })
    expect([isTokenLimit('calls:token:70:successes'), isTokenLimit('calls:user:7:successes')]).toEqual([true, false])
  })

  it('is undefined for a caller without limits, and for the exempt group', () => {
    const exempt = { ...perUser, 'global.rate_limit_exempt_enabled': true }

    expect(limitsOf(aCaller(), 'default', off)).toBeUndefined()
    expect(limitsOf(limited, 'bulk-ok', exempt)).toBeUndefined()
    expect(limitsOf(limited, 'default', exempt)).toBeDefined()
  })

  it('treats a duration of 0 as no limit', () => {
    const forever = { ...perUser, ModelRequestRateLimitDurationMinutes: 0 }

    expect(limitsOf(aCaller(), 'default', forever)).toBeUndefined()
  })
})
