import { describe, expect, it } from 'vitest'
import { disableReason } from './sweep-plans.ts'

const settings = {
  AutomaticDisableChannelEnabled: true,
  AutomaticDisableKeywords: ['Your credit balance is too low', ''],
  ChannelDisableThreshold: 5,
}
const one = { type: 1, usable_keys: 1 }
const quick = { ok: true, message: '', milliseconds: 100 }

describe('after a test a channel', () => {
  it('stays when it passed in time', () => {
    expect(disableReason(settings, one, quick)).toBeUndefined()
  })

  it('stays when its failure says nothing about the account', () => {
    expect(disableReason(settings, one, { ...quick, ok: false, message: 'overloaded', status: 529 })).toBeUndefined()
  })

  it.each([
    [one, { status: 401, message: 'no such key' }],
    [
      { ...one, type: 24 },
      { status: 403, message: 'forbidden' },
    ],
    [one, { status: 400, message: 'Sorry: YOUR CREDIT balance is too low.' }],
  ])('goes out of use as %o with %o', (channel, failure) => {
    expect(disableReason(settings, channel, { ...quick, ok: false, ...failure })).toBe(failure.message)
  })

  it('stays for what a vendor says of one of several keys', () => {
    const refused = { ...quick, ok: false, status: 401, message: 'no such key' }

    expect(disableReason(settings, { ...one, usable_keys: 2 }, refused)).toBeUndefined()
  })

  it('goes out of use for being slow, whether it passed or not, unless that is off', () => {
    expect(disableReason(settings, one, { ...quick, milliseconds: 5001 })).toBe('响应时间 5.00 秒，超过上限 5 秒')
    expect(
      disableReason({ ...settings, ChannelDisableThreshold: 0 }, one, { ...quick, milliseconds: 9e9 }),
    ).toBeUndefined()
  })

  it('stays whatever happens where nothing is disabled automatically', () => {
    const off = { ...settings, AutomaticDisableChannelEnabled: false }

    expect(disableReason(off, one, { ...quick, ok: false, status: 401, milliseconds: 99_999 })).toBeUndefined()
  })
})
