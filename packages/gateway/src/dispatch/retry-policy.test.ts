import { readSettings } from '@tidegate/contract'
import { failureFromAnswer, FAILURES } from '@tidegate/providers'
import { describe, expect, it } from 'vitest'
import { attemptsAllowed, mayRetry } from './retry-policy.ts'

const manual = { ...readSettings(new Map()), RetryTimes: 2 }
const automatic = { ...manual, 'global.auto_retry_enabled': true, 'global.auto_retry_count': 4 }
const codes = (...list: string[]) => ({ ...automatic, 'global.auto_retry_status_codes': list })

describe('attemptsAllowed', () => {
  it('is one more than the retries', () => {
    expect([attemptsAllowed(manual), attemptsAllowed(automatic)]).toEqual([3, 5])
  })
})

describe('mayRetry', () => {
  it('without automatic retry, mends all but bad requests and work that took too long', () => {
    const retried = [307, 401, 403, 404, 429, 500, 502, 503, 400, 408, 504, 524].filter((status) =>
      mayRetry(manual, failureFromAnswer(status, '')),
    )

    expect(retried).toEqual([307, 401, 403, 404, 429, 500, 502, 503])
  })

  it('with automatic retry, mends the listed statuses', () => {
    expect(mayRetry(codes('5xx'), failureFromAnswer(503, ''))).toBe(true)
    expect(mayRetry(codes('5xx'), failureFromAnswer(429, ''))).toBe(false)
    expect(mayRetry(codes('4x9'), failureFromAnswer(429, ''))).toBe(true)
    expect(mayRetry(codes(), failureFromAnswer(418, ''))).toBe(true)
    expect(mayRetry(codes('5xx'), failureFromAnswer(504, ''))).toBe(false)
    expect(mayRetry(codes('5xx'), failureFromAnswer(504, '{"message":"empty answer"}'))).toBe(true)
  })

  it('takes a broken connection, silence and an empty answer for a 500', () => {
    for (const failure of [FAILURES.reset(undefined), FAILURES.firstByte(), FAILURES.empty()]) {
      expect(mayRetry(manual, failure)).toBe(true)
      expect(mayRetry(codes('5xx'), failure)).toBe(true)
      expect(mayRetry(codes('429'), failure)).toBe(false)
    }
  })

  it('does not go on for a client that has left', () => {
    expect(mayRetry(manual, FAILURES.aborted())).toBe(false)
  })
})
