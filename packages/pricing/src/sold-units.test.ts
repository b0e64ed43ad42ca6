import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { imagePriceOf } from './image-price.ts'
import { logFactors, toReceiptData } from './log-row.ts'
import { priceOf, type PriceBook } from './price-book.ts'
import { computeReceipt } from './receipt.ts'
import { costOfUnits, readSoldUnits, type SoldUnits } from './sold-units.ts'
import { completionTokens, NO_USAGE, pieceUsage, promptTokens, type Usage } from './usage.ts'

const book = readSettings(new Map([['ModelPrice', '{"per-call": 0.1, "dall-e-3": 0.04}']]))
const queryFor = (model: string) => ({ modelName: model, upstreamName: model, group: 'default', acceptUnset: false })

/** A request as its log row describes it. */
function sold(model: string, changes: Partial<Usage>): { units: SoldUnits; quota: number } {
  const usage = { ...NO_USAGE, ...changes }
  const receipt = computeReceipt(priceOf(book, queryFor(model)), usage)
  const row = { promptTokens: promptTokens(usage), completionTokens: completionTokens(usage) }
  return { units: readSoldUnits({ ...row, other: logFactors(toReceiptData(receipt), usage) }), quota: receipt.quota }
}

const cost = (model: string, units: SoldUnits, by: PriceBook = book) =>
  costOfUnits(by, { priceName: model, group: 'default' }, units)

describe('sold units', () => {
  it.each([
    ['gpt-4o', { input: 800, cacheRead: 200, output: 450, reasoning: 50 }],
    ['claude-3-5-sonnet-20241022', { input: 100, cacheRead: 1000, cacheWrite5m: 300, cacheWrite1h: 100, output: 50 }],
    ['gpt-4o-audio-preview', { input: 10, output: 20, audioInput: 100, audioOutput: 50 }],
    ['per-call', { input: 10, output: 20 }],
  ])('cost as much as the request: %s', (model, usage) => {
    const { units, quota } = sold(model, usage)

    expect(cost(model, units)).toBe(quota)
  })

  it('weight an image by its size and quality', () => {
    const price = imagePriceOf(book, queryFor('dall-e-3'), { size: '1024x1792', quality: 'hd' })
    const receipt = computeReceipt(price, pieceUsage(2))
    const units = readSoldUnits({
      promptTokens: 2,
      completionTokens: 0,
      other: logFactors(toReceiptData(receipt), pieceUsage(2)),
    })

    expect(receipt.quota).toBe(120_000)
    expect(cost('dall-e-3', units)).toBe(120_000)
    expect(units.calls).toBe(0)
  })

  it('are priced by tokens if the other prices have no price per call', () => {
    const { units } = sold('per-call', { input: 100, output: 10 })
    const byTokens = { ...book, ModelPrice: {}, ModelRatio: { 'per-call': 2 }, CompletionRatio: { 'per-call': 3 } }

    expect(cost('per-call', units, byTokens)).toBe((100 + 30) * 2)
  })

  it('are priced by the unit that the model is sold by', () => {
    const spoken = { ...NO_USAGE, input: 443, terms: { fees: [{ fee: 'character' as const, count: 443 }] } }
    const { units, quota } = sold('tts-1', spoken)

    expect(quota).toBe(3323)
    expect(cost('tts-1', units)).toBe(3323)
  })

  it('choose a tier by the average request, not by the sum', () => {
    const { units, quota } = sold('gemini-2.5-pro', { input: 150_000, output: 10 })
    const twice = { ...units, calls: 2, input: units.input * 2, output: units.output * 2 }

    expect(cost('gemini-2.5-pro', twice)).toBe(quota * 2)
  })

  it('have no cost without a price', () => {
    const { units } = sold('per-call', { input: 1 })

    expect(cost('per-call', units, { ...book, ModelPrice: {} })).toBeUndefined()
  })

  it('are the tokens of a row without factors', () => {
    expect(readSoldUnits({ promptTokens: 7, completionTokens: 3, other: {} })).toMatchObject({
      calls: 1,
      input: 7,
      output: 3,
    })
    expect(readSoldUnits({ promptTokens: 0, completionTokens: 0, other: {} })).toMatchObject({ calls: 0 })
  })
})
