import { computeReceipt, NO_USAGE, type CallPrice, type TokenPrice } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'
import { aChannel } from '../test-catalog.ts'
import { describeCall, describePrice } from './describe-call.ts'

const frame = { priceName: 'm', group: 'default', groupRatio: 0.5, quotaPerUnit: 500_000 }
const byCall: CallPrice = { ...frame, kind: 'call', callPrice: 0.1 }
const byToken: TokenPrice = {
  ...frame,
  kind: 'token',
  modelRatio: 1.5,
  completionRatio: 5,
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWrite1hRatio: 2,
  audioRatio: 20,
  audioCompletionRatio: 2,
}
const attempt = (price: CallPrice | TokenPrice) => ({
  route: { channel: aChannel(), model: 'm', mapped: false, price },
  tried: ['3', '1'],
})

describe('the row of a call', () => {
  it('tells a price per call from one per token', () => {
    const usage = { ...NO_USAGE, input: 1 }

    expect(describeCall(attempt(byCall), usage, 12)).toEqual({
      model_ratio: 0,
      group_ratio: 0.5,
      completion_ratio: 0,
      cache_ratio: 0,
      cache_tokens: 0,
      model_price: 0.1,
      frt: 12,
      admin_info: { use_channel: ['3', '1'] },
    })
    expect(describePrice(computeReceipt(byCall, usage), usage)).toBe('model price 0.10, group ratio 0.50')
  })

  it('has what it takes to compute cache writes and audio again', () => {
    const usage = {
      ...NO_USAGE,
      input: 5,
      cacheRead: 7,
      cacheWrite5m: 2,
      cacheWrite1h: 1,
      audioIn: 4,
      audioOut: 3,
      output: 6,
    }

    expect(describeCall(attempt(byToken), usage, -1000)).toMatchObject({
      cache_tokens: 7,
      cache_creation_tokens: 3,
      cache_creation_ratio: 1.25,
      audio: true,
      audio_input: 4,
      audio_output: 3,
      text_input: 12,
      text_output: 6,
      audio_ratio: 20,
      audio_completion_ratio: 2,
    })
  })

  it('says when the counts are ours, or missing', () => {
    const guessed = { ...NO_USAGE, input: 5, estimated: true }

    expect(describePrice(computeReceipt(byToken, guessed), guessed)).toContain('counted here')
    expect(describeCall(attempt(byToken), guessed, 1)).toMatchObject({ estimated: true })
    expect(describePrice(computeReceipt(byToken, NO_USAGE), NO_USAGE)).toContain('possibly upstream timeout')
  })
})
