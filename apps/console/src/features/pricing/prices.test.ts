import { describe, expect, it } from 'vitest'
import { callPrice, formatPrice, formatRatio, priceGroup, tokenPrices } from './prices.ts'

describe('prices', () => {
  it('are 2 USD per 1M tokens at a ratio of 1, multiplied by the group ratio', () => {
    const model = { model_ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5 }

    expect(tokenPrices(model, 1)).toEqual({ input: 2.5, output: 10, cached: 1.25 })
    expect(tokenPrices(model, 0.3).output).toBeCloseTo(3)
    expect(tokenPrices({ model_ratio: 1, completion_ratio: 1 }, 2)).toEqual({ input: 4, output: 4 })
  })

  it('per request are multiplied by the group ratio', () => {
    expect(callPrice({ model_price: 0.1 }, 0.5)).toBe(0.05)
  })

  it('have three decimals, and a price above 0 is never shown as 0', () => {
    expect(formatPrice(2.5)).toBe('$2.500')
    expect(formatPrice(0.0375)).toBe('$0.038')
    expect(formatPrice(0.0002)).toBe('<$0.001')
    expect(formatPrice(0)).toBe('$0.000')
  })

  it('use the preferred group if the model has it', () => {
    expect(priceGroup({ enable_groups: ['default', 'vip'] }, ['vip', 'default'])).toBe('vip')
    expect(priceGroup({ enable_groups: ['default', 'vip'] }, ['', 'default'])).toBe('default')
    expect(priceGroup({ enable_groups: ['bulk'] }, ['vip', 'default'])).toBe('bulk')
  })
})

describe('ratios', () => {
  it('are formatted without rounding errors', () => {
    expect(formatRatio(0.1 + 0.2)).toBe('0.3')
    expect(formatRatio(4)).toBe('4')
  })
})
