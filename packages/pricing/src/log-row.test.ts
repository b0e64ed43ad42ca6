import { describe, expect, it } from 'vitest'
import { describePrice, describeRequest, logFactors, toReceiptData } from './log-row.ts'
import type { CallPrice } from './price.ts'
import { priceByRatios } from './ratios.ts'
import { computeReceipt } from './receipt.ts'
import { recomputeQuota } from './recompute.ts'
import { NO_USAGE, pieceUsage } from './usage.ts'

const base = { priceName: 'm', group: 'default', groupRatio: 0.5, quotaPerUnit: 500_000 }
const byCall: CallPrice = { ...base, kind: 'call', callPrice: 0.1 }
const RATIOS = {
  modelRatio: 1.5,
  completionRatio: 5,
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWrite1hRatio: 2,
  audioRatio: 20,
  audioCompletionRatio: 2,
}
const byToken = priceByRatios(base, RATIOS)

describe('logFactors', () => {
  it('writes the ratios of a token-priced request and omits empty buckets', () => {
    const usage = { ...NO_USAGE, input: 5, output: 6 }

    expect(logFactors(toReceiptData(computeReceipt(byToken, usage)), usage)).toEqual({
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

    expect(logFactors(toReceiptData(computeReceipt(byToken, usage)), usage)).toMatchObject({
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

    expect(logFactors(toReceiptData(computeReceipt(byToken, usage)), usage)).toMatchObject({
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

    expect(logFactors(toReceiptData(computeReceipt({ ...byCall, callPrice: 0.04, image }, usage)), usage)).toEqual({
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

    expect(logFactors(toReceiptData(computeReceipt(price, usage)), usage)).toMatchObject({
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

const attempts = [
  { channel: 3, dialect: 'openai-chat', milliseconds: 5, status: 500, reason: 'status: oops' },
  { channel: 1, dialect: 'anthropic-messages', milliseconds: 7 },
]
const service = {
  firstTokenMs: 12,
  timing: { authenticate: 0.1 },
  attempts,
  decision: { candidates: 2, passedOver: [{ channelId: 9, reason: 'cooling-down' as const }], passedOverCount: 1 },
}
const receiptFor = (...args: Parameters<typeof computeReceipt>) => toReceiptData(computeReceipt(...args))

describe('the log row of a request', () => {
  it('shows how it was served, and the factors of its price', () => {
    const usage = { ...NO_USAGE, input: 5, output: 2 }
    const receipt = receiptFor(byToken, usage)

    const other = describeRequest(receipt, usage, service)

    expect(other).toMatchObject({
      model_ratio: 1.5,
      group_ratio: 0.5,
      frt: 12,
      timing: { authenticate: 0.1 },
      admin_info: { use_channel: ['3', '1'], attempts, decision: service.decision },
    })
    expect(recomputeQuota({ promptTokens: 5, completionTokens: 2, other })).toBe(receipt.quota)
  })

  it('has the details that few requests have', () => {
    const usage = { ...NO_USAGE, input: 1 }

    const other = describeRequest(receiptFor(byToken, usage), usage, { ...service, details: { claude: true } })

    expect(other).toMatchObject({ claude: true, frt: 12 })
  })

  it('describes a price per request and a price per token', () => {
    const usage = { ...NO_USAGE, input: 1 }

    expect(describePrice(receiptFor(byCall, usage), usage)).toBe('model price 0.10, group ratio 0.50')
    expect(describePrice(receiptFor(byToken, usage), usage)).toContain('completion ratio 5.00')
    const fine = priceByRatios({ ...base, groupRatio: 0.333333 }, { ...RATIOS, modelRatio: 0.075 })
    expect(describePrice(receiptFor(fine, usage), usage)).toBe(
      'model ratio 0.075, completion ratio 5.00, group ratio 0.333333',
    )
  })

  it('has the factors that apply when its request begins', () => {
    const usage = { ...NO_USAGE, input: 1 }
    const changing = {
      ...byToken,
      cards: [
        { ...byToken.cards[0]!, until: '2026-01-31' },
        { rates: { ...byToken.cards[0]!.rates, output: 7 }, effective: '2026-02-01' },
      ],
    }
    const textAt = (day: string) => describePrice(receiptFor(changing, usage, new Date(day)), usage)

    expect(textAt('2026-01-15')).toContain('completion ratio 5.00')
    expect(textAt('2026-02-15')).toContain('completion ratio 7.00')
  })

  it('notes when the counts are our own, or missing', () => {
    const estimated = { ...NO_USAGE, input: 5, estimated: true }

    expect(describePrice(receiptFor(byToken, estimated), estimated)).toContain('counted here')
    expect(describeRequest(receiptFor(byToken, estimated), estimated, service)).toMatchObject({ estimated: true })
    expect(describePrice(receiptFor(byToken, NO_USAGE), NO_USAGE)).toContain('possibly upstream timeout')
  })
})
