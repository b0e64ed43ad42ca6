import { CATALOGUE_VERSION, DEFAULT_PRICES, readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { imagePriceOf } from './image-price.ts'
import { priceOf, type PriceBook } from './price-book.ts'
import type { TokenPrice } from './price.ts'
import { ratiosOf } from './ratios.ts'
import { computeReceipt } from './receipt.ts'
import { taskPriceOf } from './task-price.ts'
import { NO_USAGE } from './usage.ts'

const AT = new Date('2026-11-16T12:00:00Z')

const newSite: PriceBook = readSettings(new Map())
const ratios = (book: PriceBook, model: string) => ratiosOf(priceOf(book, queryFor(model)) as TokenPrice, new Date())
const queryFor = (modelName: string) => ({ modelName, upstreamName: modelName, group: 'default', acceptUnset: false })

describe('priceOf', () => {
  it('records the price version', () => {
    expect(priceOf(newSite, queryFor('gpt-4o')).version).toBe(CATALOGUE_VERSION)
    expect(priceOf(newSite, { ...queryFor('gpt-4o'), catalogVersion: 42 }).version).toBe(`${CATALOGUE_VERSION}/42`)
  })

  it('records the price basis', () => {
    const fallback = { ...newSite, fallback_pricing_enabled: true, fallback_single_price: 0.01 }

    expect(priceOf(fallback, queryFor('gpt-4o')).basis).toBe('list')
    expect(priceOf({ ...fallback, ModelRatio: { 'gpt-4o': 2 } }, queryFor('gpt-4o')).basis).toBe('set')
    expect(priceOf(fallback, queryFor('unpriced-model')).basis).toBe('fallback')
    expect(priceOf(newSite, { ...queryFor('unpriced-model'), acceptUnset: true }).basis).toBe('unset')
    expect(taskPriceOf(newSite, queryFor('mj_dance')).basis).toBe('unset')
  })

  it('records a user group ratio only if there is one', () => {
    const book = { ...newSite, UserGroupRatio: { staff: { default: 0.25 } } }

    expect(priceOf(book, { ...queryFor('gpt-4o'), userGroup: 'staff' })).toMatchObject({
      groupRatio: 0.25,
      userGroupRatio: 0.25,
    })
    expect(priceOf(book, { ...queryFor('gpt-4o'), userGroup: 'constructor' })).not.toHaveProperty('userGroupRatio')
    expect(priceOf(book, queryFor('gpt-4o'))).not.toHaveProperty('userGroupRatio')
  })

  it("uses the model's own output ratio if the fallback has none", () => {
    const book = { ...newSite, fallback_pricing_enabled: true, fallback_input_ratio: 2, fallback_completion_ratio: 0 }

    expect(ratios(book, 'gpt-4o-2031-01-01')).toMatchObject({ modelRatio: 2, completionRatio: 4 })
  })

  it('rejects an unpriced image but never a task', () => {
    expect(() => imagePriceOf(newSite, queryFor('painter'), {})).toThrow('painter')
    expect(taskPriceOf(newSite, queryFor('mj_dance'))).toMatchObject({ kind: 'call', callPrice: 0.1 })
  })

  it("has the provider's published output ratio for every default model", () => {
    for (const [model, ratio] of Object.entries(DEFAULT_PRICES.completionRatio)) {
      expect(ratios(newSite, model).completionRatio, model).toBeCloseTo(ratio, 11)
    }
  })
})

/** The operator's values win; missing ones come from the price catalogue. */
describe('prices of the operator', () => {
  const book = (changes: Partial<PriceBook>): PriceBook => ({ ...newSite, ...changes })

  it('override the output ratio of the catalogue', () => {
    const own = book({ ModelRatio: { 'gpt-4o': 1.25 }, CompletionRatio: { 'gpt-4o': 6 } })

    expect(ratios(own, 'gpt-4o')).toMatchObject({ modelRatio: 1.25, completionRatio: 6 })
  })

  it('apply the tiers of the catalogue as multiples', () => {
    const own = book({
      ModelRatio: { 'claude-haiku-5-5': 0.06 },
      CompletionRatio: { 'claude-haiku-5-5': 5 },
      CacheRatio: { 'claude-haiku-5-5': 0.1 },
    })
    const price = priceOf(own, queryFor('claude-haiku-5-5'))

    expect(computeReceipt(price, { ...NO_USAGE, input: 150_000, output: 1000 }, AT).quota).toBe(46_500)
    expect(computeReceipt(price, { ...NO_USAGE, input: 1000, output: 1000 }, AT).quota).toBe(360)
  })

  it('override ratios and prices per call as a rate card', () => {
    const own = book({
      ModelRates: { 'gpt-4o': { rates: { input: 1, output: 2 } } },
      ModelPrice: { 'gpt-4o': 0.5 },
      ModelRatio: { 'gpt-4o': 9 },
    })
    const price = priceOf(own, queryFor('gpt-4o'))

    expect(computeReceipt(price, { ...NO_USAGE, input: 1_000_000, output: 1_000_000 }, AT).quota).toBe(1_500_000)
  })

  it('follow the catalogue if they equal it', () => {
    const ratio = DEFAULT_PRICES.modelRatio['claude-sonnet-5-5']!
    const basisAt = (own: number) =>
      priceOf(book({ ModelRatio: { 'claude-sonnet-5-5': own } }), queryFor('claude-sonnet-5-5')).basis

    expect(basisAt(ratio)).toBe('list')
    expect(basisAt(ratio * 1.2)).toBe('set')
  })

  it('have no output rate if the catalogue has none; the input rate is never used for it', () => {
    const price = priceOf(book({ ModelRatio: { mine: 1 } }), queryFor('mine')) as TokenPrice

    expect(price.cards[0]!.rates).not.toHaveProperty('output')
  })
})
