import { readSettings } from '@tidegate/contract'
import { failureFromResponse, FAILURES, type FailureClass, type UpstreamFailure } from '@tidegate/providers'
import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { createAutoDisable } from './auto-disable.ts'
import { testClock } from '../../test/support/clock.ts'

const settings = { ...readSettings(new Map()), AutomaticDisableChannelEnabled: true }
const failureWith = (status: number, error: object = {}) =>
  failureFromResponse(status, JSON.stringify({ error: { message: 'no', ...error } }))

function setUp() {
  const clock = testClock()
  const { evaluate } = createAutoDisable(clock)
  const reasonFor = (failure: UpstreamFailure, outcome: FailureClass = 'client', key = 'sk-1', rules = settings) =>
    evaluate(rules, { channel: aChannel(), key, outcome, failure })?.reason
  return { clock, evaluate, reasonFor }
}

describe('disabling a key', () => {
  it.each([
    ['the status 401', failureWith(401), 'auth'],
    ['a 403 that is about the key', failureWith(403), 'auth'],
    ['the code invalid_api_key', failureWith(400, { code: 'invalid_api_key' }), 'client'],
    ['the code account_deactivated', failureWith(400, { code: 'account_deactivated' }), 'client'],
    ['the code billing_not_active', failureWith(429, { code: 'billing_not_active' }), 'credit'],
    ['the type insufficient_quota', failureWith(429, { type: 'insufficient_quota' }), 'credit'],
    ['the type insufficient_user_quota', failureWith(403, { type: 'insufficient_user_quota' }), 'credit'],
    ['the type authentication_error', failureWith(400, { type: 'authentication_error' }), 'auth'],
    ['the type permission_error', failureWith(403, { type: 'permission_error' }), 'auth'],
    ['the type forbidden', failureWith(403, { type: 'forbidden' }), 'auth'],
  ] as const)('disables the key for %s', (_name, failure, outcome) => {
    expect(setUp().reasonFor(failure, outcome)).toContain(String(failure.status))
  })

  it('disables the key for a keyword seen twice within a few minutes, ignoring case', () => {
    const { reasonFor } = setUp()
    const poor = failureWith(400, { message: 'Sorry: YOUR CREDIT BALANCE IS TOO LOW.' })

    expect(reasonFor(poor)).toBeUndefined()

    expect(reasonFor(poor)).toBe('status 400: Sorry: YOUR CREDIT BALANCE IS TOO LOW.')
  })
})

describe('keeping a key enabled', () => {
  it.each([
    ['a busy provider', failureWith(429), 'rate'],
    ['a broken provider', failureWith(500), 'server'],
    ['a bad request', failureWith(400), 'client'],
    ['a request that is not allowed', failureWith(403), 'client'],
    ['a lost connection', FAILURES.reset(undefined), 'server'],
    ['a silent provider', FAILURES.firstByte(), 'server'],
    ['a client that left', FAILURES.aborted(), 'client'],
  ] as const)('keeps the key enabled after %s', (_name, failure, outcome) => {
    const { reasonFor } = setUp()

    expect([reasonFor(failure, outcome), reasonFor(failure, outcome), reasonFor(failure, outcome)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('keeps the key enabled when automatic disabling is off for its channel or for the site', () => {
    const { reasonFor, evaluate } = setUp()
    const rejected = { key: 'k', outcome: 'auth' as const, failure: failureWith(401) }

    expect(evaluate(settings, { ...rejected, channel: aChannel({ autoBan: false }) })).toBeUndefined()
    expect(
      reasonFor(failureWith(401), 'auth', 'k', { ...settings, AutomaticDisableChannelEnabled: false }),
    ).toBeUndefined()
  })

  it('keeps the key enabled when the keyword is seen again too late, or with another key', () => {
    const { clock, reasonFor } = setUp()
    const denied = failureWith(400, { message: 'Permission denied' })

    expect(reasonFor(denied, 'client', 'one')).toBeUndefined()
    expect(reasonFor(denied, 'client', 'two')).toBeUndefined()
    clock.pass(5 * 60_000 + 1)

    expect(reasonFor(denied, 'client', 'one')).toBeUndefined()
  })
})

describe('the reason', () => {
  it('does not contain the key, and is cut to one line', () => {
    const reason = setUp().reasonFor(
      failureWith(401, { message: `bad key sk-secret ${'x'.repeat(999)}` }),
      'auth',
      'sk-secret',
    )

    expect(reason).toContain('bad key *** x')
    expect(reason!.length).toBeLessThanOrEqual(300)
  })
})
