import { readSettings } from '@tidegate/contract'
import { failureFromAnswer, FAILURES, type FailureClass, type UpstreamFailure } from '@tidegate/providers'
import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { createAutoDisable } from './auto-disable.ts'
import { testClock } from '../../test/support/clock.ts'

const settings = { ...readSettings(new Map()), AutomaticDisableChannelEnabled: true }
const answer = (status: number, error: object = {}) =>
  failureFromAnswer(status, JSON.stringify({ error: { message: 'no', ...error } }))

function setUp() {
  const clock = testClock()
  const { evaluate: verdict } = createAutoDisable(clock)
  const ask = (failure: UpstreamFailure, outcome: FailureClass = 'client', key = 'sk-1', rules = settings) =>
    verdict(rules, { channel: aChannel(), key, outcome, failure })?.reason
  return { clock, verdict, ask }
}

describe('a key is disabled', () => {
  it.each([
    ['the status 401', answer(401), 'auth'],
    ['a 403 that is about the key', answer(403), 'auth'],
    ['the code invalid_api_key', answer(400, { code: 'invalid_api_key' }), 'client'],
    ['the code account_deactivated', answer(400, { code: 'account_deactivated' }), 'client'],
    ['the code billing_not_active', answer(429, { code: 'billing_not_active' }), 'credit'],
    ['the type insufficient_quota', answer(429, { type: 'insufficient_quota' }), 'credit'],
    ['the type insufficient_user_quota', answer(403, { type: 'insufficient_user_quota' }), 'credit'],
    ['the type authentication_error', answer(400, { type: 'authentication_error' }), 'auth'],
    ['the type permission_error', answer(403, { type: 'permission_error' }), 'auth'],
    ['the type forbidden', answer(403, { type: 'forbidden' }), 'auth'],
  ] as const)('for %s', (_name, failure, outcome) => {
    expect(setUp().ask(failure, outcome)).toContain(String(failure.status))
  })

  it('for a keyword seen twice within a few minutes, ignoring case', () => {
    const { ask } = setUp()
    const poor = answer(400, { message: 'Sorry: YOUR CREDIT BALANCE IS TOO LOW.' })

    expect(ask(poor)).toBeUndefined()

    expect(ask(poor)).toBe('status 400: Sorry: YOUR CREDIT BALANCE IS TOO LOW.')
  })
})

describe('a key stays enabled', () => {
  it.each([
    ['a busy provider', answer(429), 'rate'],
    ['a broken provider', answer(500), 'server'],
    ['a bad request', answer(400), 'client'],
    ['a request that is not allowed', answer(403), 'client'],
    ['a lost connection', FAILURES.reset(undefined), 'server'],
    ['a silent provider', FAILURES.firstByte(), 'server'],
    ['a client that left', FAILURES.aborted(), 'client'],
  ] as const)('after %s', (_name, failure, outcome) => {
    const { ask } = setUp()

    expect([ask(failure, outcome), ask(failure, outcome), ask(failure, outcome)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('when automatic disabling is off for its channel or for the site', () => {
    const { ask, verdict } = setUp()
    const rejected = { key: 'k', outcome: 'auth' as const, failure: answer(401) }

    expect(verdict(settings, { ...rejected, channel: aChannel({ autoBan: false }) })).toBeUndefined()
    expect(ask(answer(401), 'auth', 'k', { ...settings, AutomaticDisableChannelEnabled: false })).toBeUndefined()
  })

  it('when the keyword is seen again too late, or with another key', () => {
    const { clock, ask } = setUp()
    const denied = answer(400, { message: 'Permission denied' })

    expect(ask(denied, 'client', 'one')).toBeUndefined()
    expect(ask(denied, 'client', 'two')).toBeUndefined()
    clock.pass(5 * 60_000 + 1)

    expect(ask(denied, 'client', 'one')).toBeUndefined()
  })
})

describe('the reason', () => {
  it('does not contain the key, and is cut to one line', () => {
    const reason = setUp().ask(answer(401, { message: `bad key sk-secret ${'x'.repeat(999)}` }), 'auth', 'sk-secret')

    expect(reason).toContain('bad key *** x')
    expect(reason!.length).toBeLessThanOrEqual(300)
  })
})
