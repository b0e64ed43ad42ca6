import type { ApiToken } from '@tidegate/contract/api'
import dayjs from 'dayjs'
import { describe, expect, it } from 'vitest'
import { blankValues, editOf, newToken, valuesOf } from './token-values.ts'

const aToken = (changes: Partial<ApiToken> = {}): ApiToken => ({
  id: 4,
  user_id: 7,
  key: 'abc',
  status: 1,
  name: 'laptop',
  created_time: 1_700_000_000,
  accessed_time: 0,
  expired_time: 1_800_000_000,
  remain_quota: 750_000,
  used_quota: 0,
  unlimited_quota: false,
  model_limits_enabled: true,
  model_limits: 'b,a',
  allow_ips: '10.0.0.1\n10.0.0.2',
  group: 'vip',
  rate_limit_enabled: true,
  rate_limit_period: 5,
  rate_limit_count: 6,
  rate_limit_success: 7,
  tokens_per_minute: 8,
  max_concurrency: 9,
  store_responses: true,
  budget_period: '',
  budget_quota: 0,
  budget_zone: 'UTC',
  budget_resets_at: 0,
  ...changes,
})

const daily = { budget_period: 'day', budget_quota: 100, budget_zone: 'Asia/Shanghai', budget_resets_at: 1 } as const

/** The request body after these form values change. */
const sentFor = (token: ApiToken, changes: Partial<ReturnType<typeof valuesOf>>) =>
  editOf(token, { ...valuesOf(token), ...changes })

describe('editOf', () => {
  it.each([{}, daily, { unlimited_quota: true }, { remain_quota: -20 }, { expired_time: -1 }])(
    'returns null if nothing changed: %o',
    (changes) => {
      expect(sentFor(aToken(changes), {})).toBeNull()
    },
  )

  it('sends the displayed quota only with a new quota', () => {
    expect(sentFor(aToken(), { quota: 1 })).toEqual({ id: 4, remain_quota: 1, remain_quota_seen: 750_000 })
    expect(sentFor(aToken(), { name: ' desk ' })).toEqual({ id: 4, name: 'desk' })
    expect(sentFor(aToken(), { concurrency: 20 })).toEqual({ id: 4, max_concurrency: 20 })
    expect(sentFor(aToken(), { storesResponses: false })).toEqual({ id: 4, store_responses: false })
  })

  it('changes the kind of limit', () => {
    const budget = { mode: 'budget', budget: 9, period: 'week', zone: 'UTC' } as const

    expect(sentFor(aToken(), { mode: 'unlimited' })).toEqual({ id: 4, unlimited_quota: true })
    expect(sentFor(aToken(daily), { mode: 'unlimited' })).toEqual({ id: 4, unlimited_quota: true, budget_period: '' })
    expect(sentFor(aToken(), budget)).toEqual({ id: 4, budget_period: 'week', budget_quota: 9, budget_zone: 'UTC' })
    expect(sentFor(aToken(daily), { budget: 300 })).toEqual({ id: 4, budget_quota: 300 })
  })

  it('clears blank fields', () => {
    const cleared = { expires: null, group: undefined, addresses: ' ', limitsModels: false, tokensPerMinute: 0 }

    expect(sentFor(aToken(), cleared)).toEqual({
      id: 4,
      expired_time: -1,
      group: '',
      allow_ips: '',
      model_limits_enabled: false,
      tokens_per_minute: 0,
    })
  })
})

it('creates a budget in the time zone of the browser', () => {
  const expires = dayjs.unix(1_900_000_000)

  expect(newToken({ ...blankValues(), name: 'x', mode: 'budget', budget: 7, expires })).toMatchObject({
    expired_time: 1_900_000_000,
    budget_period: 'day',
    budget_quota: 7,
    budget_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    unlimited_quota: false,
  })
})
