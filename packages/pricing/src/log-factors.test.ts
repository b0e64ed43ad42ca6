import { describe, expect, it } from 'vitest'
import { logFactors } from './log-factors.ts'
import type { CallPrice } from './price.ts'
import { priceByRatios } from './ratios.ts'
import { computeReceipt } from './receipt.ts'
import { recompute } from './recompute.ts'
import { NO_USAGE, pieceUsage } from './usage.ts'

const frame = { priceName: 'm', group: 'default', groupRatio: 0.5, quotaPerUnit: 500_000 }
const byCall: CallPrice = { ...frame, kind: 'call', callPrice: 0.1 }
const byToken = priceByRatios(frame, {
  modelRatio: 1.5,
  completionRatio: 5,
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWrite1hRatio: 2,
  audioRatio: 20,
  audioCompletionRatio: 2,
})

describe('the factors in the log', () => {
  it('name the ratios of a call by tokens, and no bucket that is empty', () => {
    const usage = { ...NO_USAGE, input: 5, output: 6 }

    expect(logFactors(computeReceipt(byToken, usage), usage)).toEqual({
      model_price: -1,
      model_ratio: 1.5,
      completion_ratio: 5,
      group_ratio: 0.5,
      cache_tokens: 0,
      cache_ratio: 0.1,
      quota_per_unit: 500_000,
      price_name: 'm',
      lines: [
        ['input', 5, 1_500_000],
        ['output', 6, 7_500_000],
      ],
    })
  })

  it('tell cache writes for an hour from all of them', () => {
    const usage = { ...NO_USAGE, cacheRead: 7, cacheWrite5m: 2, cacheWrite1h: 1, estimated: true }

    expect(logFactors(computeReceipt(byToken, usage), usage)).toMatchObject({
      cache_tokens: 7,
      cache_creation_tokens: 3,
      cache_creation_ratio: 1.25,
      cache_creation_1h_tokens: 1,
      cache_creation_1h_ratio: 2,
      estimated: true,
    })
  })

  it('tell sound from text', () => {
    const usage = {
      ...NO_USAGE,
      input: 5,
      cacheRead: 7,
      audioInput: 4,
      audioOutput: 3,
      output: 6,
      reasoning: 2,
      imageInput: 9,
    }

    expect(logFactors(computeReceipt(byToken, usage), usage)).toMatchObject({
      audio: true,
      audio_input: 4,
      audio_output: 3,
      text_input: 12,
      text_output: 8,
      audio_ratio: 20,
      audio_completion_ratio: 2,
      reasoning_tokens: 2,
      image_tokens: 9,
    })
  })

  it('give an image call its whole price, and what it was made of', () => {
    const image = { size: '1024x1792', quality: 'hd', sizeRatio: 2, qualityRatio: 1.5, modelRatio: 1 }
    const usage = pieceUsage(3)

    expect(logFactors(computeReceipt({ ...byCall, callPrice: 0.04, image }, usage), usage)).toEqual({
      model_price: 0.36,
      pieces: 3,
      piece_price: 0.04,
      image_size: '1024x1792',
      image_quality: 'hd',
      image_size_ratio: 2,
      image_quality_ratio: 1.5,
      image_model_ratio: 1,
      lines: [['pieces', 3, 60_000]],
      group_ratio: 0.5,
      quota_per_unit: 500_000,
      price_name: 'm',
    })
  })

  it('keep a ratio of the user’s own group, where the price came from, and which prices they were', () => {
    const usage = { ...NO_USAGE, input: 5 }
    const price = { ...byCall, groupRatio: 0.2, userGroupRatio: 0.2, basis: 'fallback', version: '2026.11/7' } as const

    expect(logFactors(computeReceipt(price, usage), usage)).toMatchObject({
      model_price: 0.1,
      group_ratio: 0.2,
      user_group_ratio: 0.2,
      price_basis: 'fallback',
      price_version: '2026.11/7',
    })
  })
})

describe('a row computed again', () => {
  it('takes rows that were written before the value of the point was', () => {
    const other = { model_price: 0.1, group_ratio: 0.5, frt: 12, admin_info: { use_channel: ['3'] } }

    expect(recompute({ promptTokens: 1, completionTokens: 0, other })).toBe(25_000)
  })

  it('refuses a row that lacks a factor or counts more cached than read', () => {
    const other = {
      model_price: -1,
      model_ratio: 1,
      completion_ratio: 1,
      group_ratio: 1,
      cache_tokens: 9,
      cache_ratio: 1,
    }

    expect(() => recompute({ promptTokens: 5, completionTokens: 0, other })).toThrow('not a count')
    expect(() => recompute({ promptTokens: 5, completionTokens: 0, other: {} })).toThrow('model_price')
  })
})
