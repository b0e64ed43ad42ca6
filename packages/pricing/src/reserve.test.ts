import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { imagePriceOf } from './image-price.ts'
import { priceOf, type PriceBook } from './price-book.ts'
import { affordableOutput, worstCaseQuota, type RequestBound } from './reserve.ts'

const book: PriceBook = {
  ...readSettings(new Map()),
  ModelRatio: { m: 1.25 },
  CompletionRatio: { m: 4 },
  ModelPrice: {},
}
const queryFor = (modelName: string) => ({ modelName, upstreamName: modelName, group: 'default', acceptUnset: false })
const price = priceOf(book, queryFor('m'))
const BOUND: RequestBound = {
  promptTokens: 100,
  outputLimit: 1000,
  choices: 1,
  cacheWrite: 'none',
  audioInput: false,
  audioOutput: false,
}

describe('worstCaseQuota', () => {
  it('counts the prompt at the input rate and every choice at the output rate', () => {
    expect(worstCaseQuota(price, BOUND)).toBe((100 + 4 * 1000) * 1.25)
    expect(worstCaseQuota(price, { ...BOUND, choices: 3 })).toBe((100 + 3 * 4 * 1000) * 1.25)
  })

  it('counts the prompt as cache writes if those cost more', () => {
    expect(worstCaseQuota(price, { ...BOUND, cacheWrite: '5m' })).toBe(Math.ceil((1.25 * 100 + 4 * 1000) * 1.25))
    expect(worstCaseQuota(price, { ...BOUND, cacheWrite: '1h' })).toBe((2 * 100 + 4 * 1000) * 1.25)
  })

  it('covers standard terms too, unless the terms are fixed', () => {
    const tiers = [{ when: { serviceTier: 'batch' as const }, multiply: 0.5 }]
    const tiered = priceOf({ ...book, ModelRates: { m: { rates: { input: 2, output: 10 }, tiers } } }, queryFor('m'))
    const atBatchTier = { ...BOUND, terms: { serviceTier: 'batch' } }

    expect(worstCaseQuota(tiered, atBatchTier)).toBe((2 * 100 + 10 * 1000) / 2)
    expect(worstCaseQuota(tiered, { ...atBatchTier, hasFixedTerms: true })).toBe((2 * 100 + 10 * 1000) / 4)
  })

  it('counts images', () => {
    const image = imagePriceOf(readSettings(new Map()), queryFor('dall-e-3'), { size: '1024x1792', quality: 'hd' })

    expect(worstCaseQuota(image, { ...BOUND, pieces: 2 })).toBe(120_000)
  })

  it('is never 0 for a request with a price, and exceeds any balance for an absurd limit', () => {
    expect(worstCaseQuota(price, { ...BOUND, promptTokens: 0, outputLimit: 0 })).toBe(1)
    expect(worstCaseQuota(price, { ...BOUND, outputLimit: 1e300 })).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('affordableOutput', () => {
  it('is what remains after the prompt, per choice', () => {
    expect(affordableOutput(price, 125 + 5000, BOUND)).toBe(1000)
    expect(affordableOutput(price, 125 + 4999, BOUND)).toBe(999)
    expect(affordableOutput(price, 125 + 5000, { ...BOUND, choices: 2 })).toBe(500)
    expect(affordableOutput(price, 124, BOUND)).toBe(0)
  })

  it('is infinite if output is free', () => {
    expect(affordableOutput({ ...price, groupRatio: 0 }, 0, BOUND)).toBe(Infinity)
  })
})
