import type { UsageLog } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { aLog } from '../../../test/sample-log.ts'
import { formulaOf } from './formula.ts'
import { receiptOf } from './receipt.ts'

const PER_TOKEN = { model_price: -1, model_ratio: 1.25, completion_ratio: 4, group_ratio: 1 }

function formula(other: object, changes: Partial<UsageLog> = {}): string | null {
  const receipt = receiptOf(aLog(other, changes))
  return receipt && formulaOf(receipt)
}

const notes = (other: object, changes: Partial<UsageLog> = {}) => receiptOf(aLog(other, changes))?.notes

describe('the receipt of a request priced by tokens', () => {
  it('subtracts cached tokens from the prompt', () => {
    const other = { ...PER_TOKEN, cache_tokens: 200, cache_ratio: 0.5 }

    expect(formula(other)).toBe('(800 + 200 × 0.5 + 500 × 4) × 1.25 = 3,625 → $0.00725')
    expect(formula({ ...other, group_ratio: 0.3 }, { quota: 1088 })).toBe(
      '(800 + 200 × 0.5 + 500 × 4) × 1.25 × 0.3 = 1,087.5 ≈ 1,088 → $0.002176',
    )
  })

  it('separates one-hour cache writes from other cache writes', () => {
    const other = {
      claude: true,
      model_ratio: 1.5,
      completion_ratio: 5,
      group_ratio: 1,
      cache_tokens: 1000,
      cache_ratio: 0.1,
      cache_creation_tokens: 400,
      cache_creation_ratio: 1.25,
    }
    const counts = { prompt_tokens: 1500, completion_tokens: 50 }

    expect(formula(other, { ...counts, quota: 1425 })).toContain('(100 + 1,000 × 0.1 + 400 × 1.25 + 50 × 5) × 1.5')
    expect(
      formula(
        { ...other, cache_creation_1h_tokens: 100, cache_creation_1h_ratio: 2 },
        { ...counts, quota: Math.round((100 + 100 + 375 + 200 + 250) * 1.5) },
      ),
    ).toContain('300 × 1.25 + 100 × 2 + 50 × 5')
  })

  it('does not subtract cached tokens that the prompt does not include', () => {
    const other = { ...PER_TOKEN, claude: true, cache_tokens: 1000, cache_ratio: 0.1 }

    expect(formula(other, { prompt_tokens: 100, completion_tokens: 0, quota: 250 })).toBe(
      '(100 + 1,000 × 0.1) × 1.25 = 250 → $0.0005',
    )
  })

  it.each(['audio', 'ws'])('prices audio and text separately (%s)', (kind) => {
    const other = {
      ...PER_TOKEN,
      [kind]: true,
      text_input: 10,
      text_output: 20,
      audio_input: 100,
      audio_output: 50,
      audio_ratio: 40,
      audio_completion_ratio: 2,
    }

    expect(formula(other, { prompt_tokens: 110, completion_tokens: 70, quota: 10_113 })).toBe(
      '(10 + 100 × 40 + 20 × 4 + 50 × 40 × 2) × 1.25 = 10,112.5 ≈ 10,113 → $0.020226',
    )
  })

  it('prefers the ratio of the user group to the group ratio', () => {
    const receipt = receiptOf(aLog({ ...PER_TOKEN, group_ratio: 2, user_group_ratio: 0.5 }, { quota: 1875 }))

    expect(receipt).toMatchObject({ groupRatio: 0.5, isOwnRatio: true, due: 1875 })
  })

  it('adds the amount that could not be charged', () => {
    expect(receiptOf(aLog({ ...PER_TOKEN, uncovered: 750 }, { quota: 3000 }))).toMatchObject({
      due: 3750,
      uncovered: 750,
    })
  })

  it('has notes for the minimum charge and for no charge', () => {
    const tiny = { ...PER_TOKEN, model_ratio: 0.01, completion_ratio: 1 }

    expect(notes(tiny, { prompt_tokens: 3, completion_tokens: 1, quota: 1 })).toEqual(['minimum'])
    expect(notes(PER_TOKEN, { prompt_tokens: 0, completion_tokens: 0, quota: 0 })).toEqual(['nothing'])
    expect(notes({ ...PER_TOKEN, group_ratio: 0 }, { quota: 0 })).toEqual(['free'])
  })

  it('says where the price came from, and when counts are ours or the call broke off', () => {
    expect(notes({ ...PER_TOKEN, price_basis: 'fallback', estimated: true }, { quota: 3750 })).toEqual([
      'fallback',
      'estimated',
    ])
    expect(notes({ ...PER_TOKEN, price_basis: 'set', interrupted: true }, { quota: 3750 })).toEqual(['interrupted'])
  })

  it('is null if factors are missing or do not add up', () => {
    expect(formula({})).toBeNull()
    expect(formula({}, { other: 'not json' })).toBeNull()
    expect(formula(PER_TOKEN, { quota: 9999 })).toBeNull()
  })
})

describe('the receipt of a request with a fixed price', () => {
  it('multiplies the price, the quota per dollar and the group ratio', () => {
    expect(formula({ model_price: 0.1, group_ratio: 0.5 }, { quota: 25_000 })).toBe(
      '$0.10 × 500,000 × 0.5 = 25,000 → $0.05',
    )
  })

  it('prices images by count, size and quality', () => {
    const image = {
      model_price: 0.36,
      pieces: 3,
      piece_price: 0.04,
      image_size: '1024x1792',
      image_quality: 'hd',
      image_size_ratio: 2,
      image_quality_ratio: 1.5,
      image_model_ratio: 1,
      group_ratio: 1,
    }

    expect(formula(image, { prompt_tokens: 3, completion_tokens: 0, quota: 180_000 })).toBe(
      '$0.04 × 3 × 2 × 1.5 × 500,000 = 180,000 → $0.36',
    )
  })

  it('calculates the image model ratio, which ordinary users do not receive', () => {
    const image = { model_price: 0.05, pieces: 2, piece_price: 0.0025, image_size_ratio: 1, group_ratio: 1 }

    expect(formula(image, { prompt_tokens: 2, completion_tokens: 0, quota: 25_000 })).toBe(
      '$0.0025 × 2 × 10 × 500,000 = 25,000 → $0.05',
    )
  })

  it('has a note for a model without a price', () => {
    expect(notes({ model_price: 0.1, group_ratio: 1, price_basis: 'unset' }, { quota: 50_000 })).toEqual(['unset'])
  })
})

describe('the receipt of a request with a tier or a fee', () => {
  const lines = [
    ['input', 300_000, 2_000_000],
    ['output', 1000, 7_500_000],
    ['webSearch', 2, 5000],
  ]
  const other = { ...PER_TOKEN, quota_per_unit: 500_000, lines, tiers: [{ inputAbove: 272_000 }] }
  const counts = { prompt_tokens: 300_000, completion_tokens: 1000 }

  it('has a line for every price', () => {
    expect(formula(other, { ...counts, quota: 617_500 })).toBe(
      '(300,000 × $4.00/1M + 1,000 × $15.00/1M + 2 × $0.01) × 500,000 = 617,500 → $1.235',
    )
    expect(receiptOf(aLog(other, { ...counts, quota: 617_500 }))).toMatchObject({
      kind: 'per-line',
      tiers: [{ inputAbove: 272_000, names: [] }],
    })
  })

  it('is null if its lines do not add up', () => {
    expect(formula(other, { ...counts, quota: 1 })).toBeNull()
  })
})
