import { type RateCard, type ServiceTerms, type TokenCounts } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import type { TokenPrice } from './price.ts'
import { cardAt, chooseRates } from './rate-card.ts'
import { computeReceipt } from './receipt.ts'
import { NO_USAGE } from './usage.ts'

const at = new Date('2026-11-16T12:00:00Z')
const base = { priceName: 'm', group: 'default', groupRatio: 1, quotaPerUnit: 500_000 }
const priceOf = (card: RateCard): TokenPrice => ({ kind: 'token', ...base, cards: [card], quotaPerRate: 500_000 })

function bill(card: RateCard, counts: Partial<TokenCounts>, terms: ServiceTerms = {}) {
  return computeReceipt(priceOf(card), { ...NO_USAGE, ...counts, terms }, at)
}

describe('chooseRates', () => {
  const card: RateCard = {
    rates: { input: 2, output: 10 },
    tiers: [
      { when: { inputAbove: 500 }, rates: { input: 4, output: 15 } },
      { when: { inputAbove: 500, serviceTier: 'priority' }, rates: { input: 7, output: 30 } },
      { when: { serviceTier: 'priority' }, multiply: 2 },
      { when: { region: 'us' }, multiply: 1.1 },
    ],
  }

  it('uses the tier with the most conditions, without a multiplier on a dimension it names', () => {
    const chosen = chooseRates(card, { inputLength: 1000, serviceTier: 'priority', region: 'us', at })

    expect(chosen.rates).toMatchObject({ input: 7, output: 30 })
    expect(chosen.tiers).toEqual([{ inputAbove: 500, serviceTier: 'priority' }, { region: 'us' }])
  })

  it('applies one multiplier per dimension', () => {
    const receipt = bill(card, { input: 500, output: 100 }, { serviceTier: 'priority', region: 'us' })

    expect(receipt.tiers).toEqual([{ serviceTier: 'priority' }, { region: 'us' }])
    expect(receipt).toMatchObject({
      lines: [
        { item: 'input', count: 500, rate: 2_200_000 },
        { item: 'output', count: 100, rate: 11_000_000 },
      ],
      quota: 2200,
    })
  })

  it('uses the most expensive tier if the served tier is unknown', () => {
    const chosen = chooseRates(card, { inputLength: 1, serviceTier: 'warp', at })

    expect(chosen.tiers).toEqual([{ serviceTier: 'priority' }])
    expect(chosen.hasUnpricedTier).toBe(true)
  })

  it('uses the standard rates for a cheaper tier without a price', () => {
    const chosen = chooseRates(card, { inputLength: 1, serviceTier: 'flex', at })

    expect(chosen.tiers).toEqual([])
    expect(chosen.hasUnpricedTier).toBe(true)
  })
})

describe('cardAt', () => {
  const old: RateCard = { effective: '2026-01-01', rates: { input: 1 } }
  const next: RateCard = { effective: '2026-07-30', until: '2026-08-31', rates: { input: 2 } }

  it('returns the newest card that is valid, including its first and last day', () => {
    const inputAt = (day: string) => cardAt([next, old], new Date(day))?.rates?.input

    expect(inputAt('2025-12-31T23:59:59Z')).toBeUndefined()
    expect(inputAt('2026-07-29T23:59:59Z')).toBe(1)
    expect(inputAt('2026-07-30T00:00:00Z')).toBe(2)
    expect(inputAt('2026-08-31T23:59:59Z')).toBe(2)
    expect(inputAt('2026-09-01T00:00:00Z')).toBe(1)
  })
})

describe('computeReceipt', () => {
  const card: RateCard = { rates: { input: 2, output: 10 } }

  it('uses the highest rate for tokens without a rate, and reports them', () => {
    expect(bill(card, { audioOutput: 1000 })).toMatchObject({ quota: 5000, unpriced: ['audioOutput'] })
  })

  it('reports fees without a price', () => {
    const terms: ServiceTerms = { fees: [{ fee: 'webSearch', count: 2 }] }

    expect(bill(card, { input: 1000, output: 100 }, terms)).toMatchObject({ quota: 1500, unpriced: ['webSearch'] })
  })

  it('counts audio by the minute if the card does', () => {
    const terms: ServiceTerms = { fees: [{ fee: 'audioSecond', count: 90 }] }

    expect(bill({ fees: { audioMinute: 0.006 } }, { input: 1500 }, terms)).toMatchObject({
      quota: 4500,
      lines: [
        { item: 'input', count: 1500, rate: 0 },
        { item: 'audioMinute', count: 1.5, rate: 3000 },
      ],
      unpriced: [],
    })
  })
})
