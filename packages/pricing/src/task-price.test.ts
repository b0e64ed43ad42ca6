import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import type { PriceBook } from './price-book.ts'
import { videoPriceOf } from './task-price.ts'

const newSite: PriceBook = readSettings(new Map())

function second(model: string, sizes: string[], settings: Partial<PriceBook> = {}, acceptUnset = false) {
  const query = { modelName: model, upstreamName: model, group: 'default', acceptUnset }
  return videoPriceOf({ ...newSite, ...settings }, query, sizes).callPrice
}

describe('videoPriceOf', () => {
  it.each([
    ['sora-2', ['1280x720'], 0.1],
    ['sora-2-pro', ['720x1280'], 0.3],
    ['sora-2-pro', ['1792x1024'], 0.5],
    ['veo-3.1-generate-preview', ['1920x1080'], 0.4],
    ['veo-3.1-generate-preview', ['3840x2160'], 0.6],
    ['veo-3.1-lite-generate-preview', ['720x1280', '1080p'], 0.08],
    ['veo-3.1-fast-generate-preview', ['1080x1920'], 0.15],
  ])('prices %s at %s: %d USD', (model, sizes, usd) => {
    expect(second(model, sizes)).toBe(usd)
  })

  it('uses the most expensive size if the size is unknown', () => {
    expect(second('sora-2-pro', ['9999x9999'])).toBe(0.5)
    expect(second('sora-2-pro', ['720x1280', '1024x1792'])).toBe(0.5)
    expect(second('sora-2-pro', ['__proto__'])).toBe(0.5)
  })

  it("uses the operator's price or rate card", () => {
    expect(second('sora-2-pro', ['1024x1792'], { ModelPrice: { 'sora-2-pro': 0.9 } })).toBe(0.9)
    const card = { fees: { videoSecond: { '720p': 0.2, '4k': 2 } } }
    expect(second('our-video', ['2160x3840'], { ModelRates: { 'our-video': card } })).toBe(2)
  })

  it('rejects a model without a price, or charges the high default', () => {
    expect(() => second('unknown-video', ['1280x720'])).toThrow(expect.objectContaining({ code: 'model_price_error' }))
    expect(second('unknown-video', ['1280x720'], {}, true)).toBe(1)
    expect(second('gpt-4o', ['1280x720'], { SelfUseModeEnabled: true })).toBe(1)
    expect(second('unknown-video', [''], { fallback_pricing_enabled: true, fallback_single_price: 0.4 })).toBe(0.4)
  })
})
