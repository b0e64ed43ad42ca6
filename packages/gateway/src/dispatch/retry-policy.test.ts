import { readSettings } from '@tidegate/contract'
import { failureFromResponse, FAILURES, providerOf, UpstreamFailure } from '@tidegate/providers'
import { describe, expect, it } from 'vitest'
import { maxAttempts, mayRetry } from './retry-policy.ts'

const ANTHROPIC = 14

/** With the provider's classification of the failure. */
function retries(settings: Parameters<typeof mayRetry>[0], failure: UpstreamFailure, channelType = 1): boolean {
  return mayRetry(settings, failure, providerOf(channelType).classify(failure))
}

const manual = { ...readSettings(new Map()), RetryTimes: 2 }
const automatic = { ...manual, 'global.auto_retry_enabled': true, 'global.auto_retry_count': 4 }
const codes = (...list: string[]) => ({ ...automatic, 'global.auto_retry_status_codes': list })

describe('maxAttempts', () => {
  it('is the number of retries plus one', () => {
    expect([maxAttempts(manual), maxAttempts(automatic)]).toEqual([3, 5])
  })
})

describe('mayRetry', () => {
  it('retries everything but bad requests without automatic retry', () => {
    const retried = [307, 401, 403, 404, 429, 500, 502, 503, 400, 408, 504, 524].filter((status) =>
      retries(manual, failureFromResponse(status, '')),
    )

    expect(retried).toEqual([307, 401, 403, 404, 429, 500, 502, 503, 408, 504, 524])
  })

  it('retries a bad request whose error is about an empty account', () => {
    const empty = failureFromResponse(400, '{"error":{"message":"Your credit balance is too low to access the API."}}')

    expect(retries(manual, empty, ANTHROPIC)).toBe(true)
    expect(retries(manual, failureFromResponse(400, '{"error":{"message":"no such field"}}'), ANTHROPIC)).toBe(false)
  })

  it('retries the listed statuses with automatic retry', () => {
    expect(retries(codes('5xx'), failureFromResponse(503, ''))).toBe(true)
    expect(retries(codes('5xx'), failureFromResponse(429, ''))).toBe(false)
    expect(retries(codes('4x9'), failureFromResponse(429, ''))).toBe(true)
    expect(retries(codes(), failureFromResponse(418, ''))).toBe(true)
    expect(retries(codes('5xx'), failureFromResponse(504, ''))).toBe(false)
    expect(retries(codes('5xx'), failureFromResponse(504, '{"message":"empty answer"}'))).toBe(true)
  })

  it('treats a broken connection, a timeout and an empty response as a 500', () => {
    for (const failure of [FAILURES.reset(undefined), FAILURES.firstByte(), FAILURES.empty()]) {
      expect(retries(manual, failure)).toBe(true)
      expect(retries(codes('5xx'), failure)).toBe(true)
      expect(retries(codes('429'), failure)).toBe(false)
    }
  })

  it('does not retry work that the provider accepted', () => {
    const accepted = new UpstreamFailure({ kind: 'status', status: 504, accepted: true, error: { message: 'late' } })

    expect([retries(manual, accepted), retries(codes(), accepted)]).toEqual([false, false])
  })

  it('does not retry after the client disconnected', () => {
    expect(retries(manual, FAILURES.aborted())).toBe(false)
  })
})
