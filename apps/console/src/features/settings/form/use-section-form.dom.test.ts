import { describe, expect, it } from 'vitest'
import { invalidFallbackPrices } from './use-section-form.ts'

describe('fallback prices', () => {
  it.each([
    [{ fallback_pricing_enabled: true, fallback_single_price: 0.1 }],
    [{ fallback_pricing_enabled: true, fallback_input_ratio: 1, fallback_completion_ratio: 2 }],
    [{ fallback_pricing_enabled: false, fallback_input_ratio: 1 }],
    [{}],
  ])('accepts %j', (values) => {
    expect(invalidFallbackPrices(values)).toEqual([])
  })

  it.each([
    [{ fallback_single_price: 0.1, fallback_input_ratio: 1 }, 'fallback_single_price'],
    [{ fallback_pricing_enabled: true, fallback_input_ratio: 1 }, 'fallback_pricing_enabled'],
    [{ fallback_pricing_enabled: true }, 'fallback_pricing_enabled'],
  ])('rejects %j', (values, invalid) => {
    expect(invalidFallbackPrices(values)).toEqual([invalid])
  })
})
