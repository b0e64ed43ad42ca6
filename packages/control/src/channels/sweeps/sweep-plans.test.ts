import { describe, expect, it } from 'vitest'
import { disableReason } from './sweep-plans.ts'

const settings = {
  AutomaticDisableChannelEnabled: true,
  AutomaticDisableKeywords: ['Your credit balance is too low', ''],
  ChannelDisableThreshold: 5,
}
const one = { type: 1, usable_keys: 1 }
const quick = { ok: true, message: '', milliseconds: 100 }

describe('a tested channel', () => {
  it('stays enabled when it passed in time', () => {
    expect(disableReason(settings, one, quick)).toBeUndefined()
  })

  it('stays enabled when the error is unrelated to the account', () => {
    expect(disableReason(settings, one, { ...quick, ok: false, message: 'overloaded', status: 529 })).toBeUndefined()
  })

  it.each([
    [one, { status: 401, message: 'no such key' }],
    [
      { ...one, type: 24 },
      { status: 403, message: 'forbidden' },
    ],
    [one, { status: 400, message: 'Sorry: YOUR CREDIT balance is too low.' }],
  ])('is disabled as %o with %o', (channel, failure) => {
    expect(disableReason(settings, channel, { ...quick, ok: false, ...failure })).toBe(failure.message)
  })

  it('stays enabled for an error of one of several keys', () => {
    const rejected = { ...quick, ok: false, status: 401, message: 'no such key' }

    expect(disableReason(settings, { ...one, usable_keys: 2 }, rejected)).toBeUndefined()
  })

  it('is disabled when it is too slow, unless that is off', () => {
    expect(disableReason(settings, one, { ...quick, milliseconds: 5001 })).toBe('响应时间 5.00 秒，超过上限 5 秒')
    expect(
      disableReason({ ...settings, ChannelDisableThreshold: 0 }, one, { ...quick, milliseconds: 9e9 }),
    ).toBeUndefined()
  })

  it('stays enabled while automatic disabling is off', () => {
    const off = { ...settings, AutomaticDisableChannelEnabled: false }

    expect(disableReason(off, one, { ...quick, ok: false, status: 401, milliseconds: 99_999 })).toBeUndefined()
  })
})
