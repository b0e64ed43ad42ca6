import { DEFAULT_PRICES, DEFAULT_PRICES_VERSION, readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { imagePriceOf } from './image-price.ts'
import { priceOf, type PriceBook } from './price-book.ts'
import { taskPriceOf } from './task-price.ts'

const newSite: PriceBook = readSettings(new Map())
const ask = (modelName: string) => ({ modelName, upstreamName: modelName, group: 'default', acceptUnset: false })

describe('a price', () => {
  it('says which prices it was looked up in', () => {
    expect(priceOf(newSite, ask('gpt-4o')).version).toBe(DEFAULT_PRICES_VERSION)
    expect(priceOf(newSite, { ...ask('gpt-4o'), catalogVersion: 42 }).version).toBe(`${DEFAULT_PRICES_VERSION}/42`)
  })

  it('says where its figure came from', () => {
    const fallback = { ...newSite, fallback_pricing_enabled: true, fallback_single_price: 0.01 }

    expect(priceOf(fallback, ask('gpt-4o')).basis).toBe('set')
    expect(priceOf(fallback, ask('nobody-priced-this')).basis).toBe('fallback')
    expect(priceOf(newSite, { ...ask('nobody-priced-this'), acceptUnset: true }).basis).toBe('unset')
    expect(taskPriceOf(newSite, ask('mj_dance')).basis).toBe('unset')
  })

  it('records a ratio of the user’s own group only when there is one', () => {
    const book = { ...newSite, UserGroupRatio: { staff: { default: 0.25 } } }

    expect(priceOf(book, { ...ask('gpt-4o'), userGroup: 'staff' })).toMatchObject({
      groupRatio: 0.25,
      userGroupRatio: 0.25,
    })
    expect(priceOf(book, { ...ask('gpt-4o'), userGroup: 'constructor' })).not.toHaveProperty('userGroupRatio')
    expect(priceOf(book, ask('gpt-4o'))).not.toHaveProperty('userGroupRatio')
  })

  it('uses the usual output ratio of a model when the fallback has none', () => {
    const book = { ...newSite, fallback_pricing_enabled: true, fallback_input_ratio: 2, fallback_completion_ratio: 0 }

    expect(priceOf(book, ask('gpt-4o-2031-01-01'))).toMatchObject({ modelRatio: 2, completionRatio: 4 })
  })

  it('is refused for an image nobody priced, but never for a task', () => {
    expect(() => imagePriceOf(newSite, ask('painter'), {})).toThrow('painter')
    expect(taskPriceOf(newSite, ask('mj_dance'))).toMatchObject({ kind: 'call', callPrice: 0.1 })
  })

  it('has the output ratio its vendor publishes, for every model of the default list', () => {
    for (const [model, ratio] of Object.entries(DEFAULT_PRICES.completionRatio)) {
      const price = priceOf({ ...newSite, ModelPrice: {} }, ask(model))

      expect(price.kind === 'token' && price.completionRatio, model).toBeCloseTo(ratio, 11)
    }
  })
})
