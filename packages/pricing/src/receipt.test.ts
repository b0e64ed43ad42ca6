import { describe, expect, it } from 'vitest'
import { priceOf, type PriceBook } from './price-book.ts'
import { computeReceipt } from './receipt.ts'
import { NO_USAGE, type Usage } from './usage.ts'

const book: PriceBook = {
  QuotaPerUnit: 500_000,
  ModelRates: {},
  ModelPrice: { 'per-call': 0.1, 'free-call': 0 },
  ModelRatio: {
    'gpt-4o': 1.25,
    'gpt-4o-mini': 0.075,
    'own-audio': 1.25,
    'claude-3-5-sonnet-20241022': 1.5,
    'own-whisper': 15,
    free: 0,
    tiny: 0.0001,
  },
  CompletionRatio: { 'provider/model': 7, free: 3, 'own-audio': 4 },
  CacheRatio: { 'gpt-4o': 0.5, 'claude-3-5-sonnet-20241022': 0.1 },
  GroupRatio: { default: 1, cheap: 0.3, half: 0.5, gratis: 0 },
  SelfUseModeEnabled: false,
  redirect_billing_enabled: false,
  fallback_pricing_enabled: false,
  fallback_single_price: undefined,
  fallback_input_ratio: undefined,
  fallback_completion_ratio: undefined,
}

function quota(
  model: string,
  usage: Partial<Usage>,
  { group = 'default', settings = {} }: { group?: string; settings?: Partial<PriceBook> } = {},
) {
  const price = priceOf({ ...book, ...settings }, { modelName: model, upstreamName: model, group, acceptUnset: false })
  return computeReceipt(price, { ...NO_USAGE, ...usage }).quota
}

/** Computed by hand from the formulas of the specification. */
describe('a receipt', () => {
  it.each<[string, string, Partial<Usage>, string, number]>([
    ['cached input at its own ratio', 'gpt-4o', { input: 800, cacheRead: 200, output: 500 }, 'default', 3625],
    ['a group ratio, rounded half up', 'gpt-4o', { input: 800, cacheRead: 200, output: 500 }, 'cheap', 1088],
    [
      'cache reads and writes',
      'claude-3-5-sonnet-20241022',
      { input: 100, cacheRead: 1000, cacheWrite5m: 400, output: 50 },
      'default',
      1425,
    ],
    ['an hour of cache at twice the input price', 'claude-3-5-sonnet-20241022', { cacheWrite1h: 100 }, 'default', 300],
    [
      'audio input and output',
      'own-audio',
      { input: 10, output: 20, audioInput: 100, audioOutput: 50 },
      'default',
      10113,
    ],
    ['transcription by the minute', 'own-whisper', { input: 1033 }, 'default', 15495],
    ['a price per request', 'per-call', { input: 1 }, 'half', 25000],
    ['reasoning as output', 'gpt-4o', { input: 1, output: 1, reasoning: 1 }, 'default', 11],
    ['at least 1 for any request with usage', 'tiny', { input: 1 }, 'default', 1],
    ['nothing when the model is free', 'free', { input: 1000, output: 1000 }, 'default', 0],
    ['nothing when the request is free', 'free-call', { input: 1000 }, 'default', 0],
    ['nothing when the group is free', 'gpt-4o', { input: 1000 }, 'gratis', 0],
    ['nothing without usage', 'gpt-4o', {}, 'default', 0],
    ['nothing per request without usage', 'per-call', {}, 'default', 0],
  ])('bills %s', (_, model, usage, group, expected) => {
    expect(quota(model, usage, { group })).toBe(expected)
  })

  it('uses the fallback ratios only for models without a price', () => {
    const settings = {
      fallback_pricing_enabled: true,
      fallback_input_ratio: 2,
      fallback_completion_ratio: 3,
      SelfUseModeEnabled: true,
    }

    expect(quota('unpriced-model', { input: 10, output: 10 }, { settings })).toBe(80)
    expect(quota('gpt-4o', { input: 4 }, { settings })).toBe(5)
  })

  it('is exact where floating point is not', () => {
    const settings = { ModelRatio: { m: 0.1 }, GroupRatio: { default: 0.7 } }

    expect(quota('m', { input: 50 }, { settings })).toBe(4) // 3.5, which doubles miss for 50 × 0.1 × 0.7
  })

  it('rejects an amount beyond the safe integers instead of losing digits', () => {
    expect(() => quota('own-whisper', { input: Number.MAX_SAFE_INTEGER })).toThrow('too large')
  })
})

describe('a price', () => {
  const queryFor = (modelName: string, upstreamName = modelName) => ({
    modelName,
    upstreamName,
    group: 'default',
    acceptUnset: false,
  })

  it('is rejected for a model without a price', () => {
    expect(() => priceOf(book, queryFor('unpriced-model'))).toThrow('unpriced-model')
  })

  it('is the high ratio for an unpriced model in self-use mode or if the user accepts it', () => {
    expect(priceOf({ ...book, SelfUseModeEnabled: true }, queryFor('x'))).toMatchObject({
      kind: 'token',
      quotaPerRate: 37_500_000,
    })
    expect(priceOf(book, { ...queryFor('x'), acceptUnset: true })).toMatchObject({
      kind: 'token',
      quotaPerRate: 37_500_000,
    })
  })

  it('follows the upstream name of a redirected model unless redirect billing is enabled', () => {
    expect(priceOf(book, queryFor('gpt-4o', 'gpt-4o-mini')).priceName).toBe('gpt-4o-mini')
    expect(priceOf({ ...book, redirect_billing_enabled: true }, queryFor('gpt-4o', 'gpt-4o-mini')).priceName).toBe(
      'gpt-4o',
    )
  })

  it('does not match the prototype', () => {
    expect(() => priceOf(book, queryFor('constructor'))).toThrow('constructor')
  })
})

it("charges a card's fee per request once per request", () => {
  const card = { rates: { input: 2, output: 4 }, fees: { request: 0.01 } }
  const priced = { ...book, ModelRates: { m: card } }
  const price = priceOf(priced, { modelName: 'm', upstreamName: 'm', group: 'default', acceptUnset: false })

  const { quota, lines } = computeReceipt(price, { ...NO_USAGE, input: 1000, output: 0 })

  expect(lines).toContainEqual({ item: 'request', count: 1, rate: 5000 })
  expect(quota).toBe(1000 + 5000)
})
