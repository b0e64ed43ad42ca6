import { describe, expect, it } from 'vitest'
import { logFactors } from './log-factors.ts'
import type { CallPrice } from './price.ts'
import { priceByRatios } from './ratios.ts'
import { computeReceipt } from './receipt.ts'
import { recomputeQuota } from './recompute.ts'
import { NO_USAGE, pieceUsage } from './usage.ts'

const base = { priceName: 'm', group: 'default', groupRatio: 0.5, quotaPerUnit: 500_000 }
const byCall: CallPrice = { ...base, kind: 'call', callPrice: 0.1 }
const byToken = priceByRatios(base, {
  modelRatio: 1.5,
  completionRatio: 5,
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWrite1hRatio: 2,
  audioRatio: 20,
  audioCompletionRatio: 2,
})

describe('logFactors', () => {
  it('writes the ratios of a token-priced request and omits empty buckets', () => {
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

  it('separates one-hour cache writes', () => {
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

  it('separates audio from text', () => {
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

  it('writes the total price of an image request and its factors', () => {
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

  it('writes the user group ratio, the price basis and the price version', () => {
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

describe('recompute', () => {
  it('accepts rows written before quota_per_unit was recorded', () => {
    const other = { model_price: 0.1, group_ratio: 0.5, frt: 12, admin_info: { use_channel: ['3'] } }

    expect(recomputeQuota({ promptTokens: 1, completionTokens: 0, other })).toBe(25_000)
  })

  it('rejects a row with a missing factor or more cached than prompt tokens', () => {
    const other = {
      model_price: -1,
      model_ratio: 1,
      completion_ratio: 1,
      group_ratio: 1,
      cache_tokens: 9,
      cache_ratio: 1,
    }

    expect(() => recomputeQuota({ promptTokens: 5, completionTokens: 0, other })).toThrow('not a count')
    expect(() => recomputeQuota({ promptTokens: 5, completionTokens: 0, other: {} })).toThrow('model_price')
  })
})
