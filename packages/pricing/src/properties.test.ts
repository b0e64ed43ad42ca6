import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logFactors, toReceiptData } from './log-row.ts'
import type { CallPrice, ModelPrice, TokenPrice } from './price.ts'
import { computeReceipt } from './receipt.ts'
import { recomputeQuota } from './recompute.ts'
import { affordableOutput, worstCaseQuota, type RequestBound } from './reserve.ts'
import { addUsage, completionTokens, NO_USAGE, promptTokens, type Usage } from './usage.ts'

/** Any double, mostly valid prices and counts. */
const anything = fc.oneof(
  { weight: 12, arbitrary: fc.nat(1_000_000) },
  { weight: 12, arbitrary: fc.constantFrom(0, 0.5, 1e-15, 5e-324, 1e12, 1e15, 1e308, Number.MAX_SAFE_INTEGER) },
  { weight: 1, arbitrary: fc.constantFrom(-0, -1, NaN, Infinity, -Infinity, 2 ** 53) },
  { weight: 1, arbitrary: fc.double() },
)
/** What an operator may enter, with few and with many decimals. */
const ratio = fc.oneof(
  fc.constantFrom(0, 1, 0.1, 0.3, 0.7, 1.25, 2, 37.5, 4 / 3, 66.67, 1e-9, 1e-15),
  fc.double({ min: 0, max: 1000, noNaN: true }),
)
const count = fc.oneof(fc.nat(20), fc.nat(2_000_000))

const MOMENT = new Date('2026-11-17')

const tokenPrice = priceWith(ratio)
const callPrice = callPriceWith(ratio, fc.constantFrom(500_000, 1000, 1, 0.5, 500_000.5))

const usualPrice = priceWith(fc.constantFrom(0, 0.1, 0.3, 1, 1.25, 2, 4, 8, 37.5, 4 / 3))
const EXACT_PRICE = { kind: 'token', priceName: 'm', group: 'default', quotaPerUnit: 500_000 } as const
const SMALL_BOUND: RequestBound = {
  promptTokens: 0,
  outputLimit: 0,
  choices: 1,
  cacheWrite: 'none',
  audioInput: false,
  audioOutput: false,
}
const anyBound: fc.Arbitrary<RequestBound> = fc.record({
  promptTokens: fc.nat(Number.MAX_SAFE_INTEGER),
  outputLimit: fc.oneof(fc.nat(Number.MAX_SAFE_INTEGER), fc.constantFrom(1e300, Infinity)),
  choices: fc.integer({ min: 1, max: 128 }),
  cacheWrite: fc.constantFrom('none', '5m', '1h'),
  audioInput: fc.boolean(),
  audioOutput: fc.boolean(),
})

describe('for any numbers', () => {
  it('a request costs a non-negative safe integer, or is rejected', () => {
    const price: fc.Arbitrary<ModelPrice> = fc.oneof(priceWith(anything), callPriceWith(anything, anything))

    fc.assert(
      fc.property(price, usageWith(anything), (price, usage) => {
        const quota = orRejected(() => computeReceipt(price, usage).quota)

        expect(quota === 'rejected' || (Number.isSafeInteger(quota) && quota >= 0)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('the worst case is exact, also when it is computed with floats', () => {
    const thousandths = fc.integer({ min: 1, max: 60_000 })
    const amounts = { prompt: fc.nat(2_000_000), output: fc.nat(200_000) }
    fc.assert(
      fc.property(thousandths, thousandths, thousandths, fc.record(amounts), (model, completion, group, tokens) => {
        const price: TokenPrice = {
          ...EXACT_PRICE,
          cards: [{ rates: { input: 1, output: completion / 1000 } }],
          quotaPerRate: model * 1000,
          groupRatio: group / 1000,
        }
        const { prompt, output } = tokens
        // In thousandths of each ratio, and millionths of a rate.
        const exact = BigInt(model) * BigInt(group) * (BigInt(prompt) * 1000n + BigInt(output) * BigInt(completion))
        const rounded = Number((exact + 999_999_999n) / 1_000_000_000n)

        const bound = { ...SMALL_BOUND, promptTokens: prompt, outputLimit: output }
        expect(worstCaseQuota(price, bound)).toBe(Math.max(1, rounded))
      }),
      { numRuns: 3000 },
    )
  })

  it('the worst case is a non-negative safe integer for every valid price', () => {
    fc.assert(
      fc.property(fc.oneof(tokenPrice, callPrice), anyBound, (price, bound) => {
        const amount = worstCaseQuota(price, bound)

        expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('the worst case of images and tasks equals their cost', () => {
    fc.assert(
      fc.property(callPrice, fc.integer({ min: 1, max: 20 }), (price, pieces) => {
        const bound: RequestBound = { ...SMALL_BOUND, promptTokens: 5, outputLimit: 9, pieces }

        expect(worstCaseQuota(price, bound)).toBe(computeReceipt(price, { ...NO_USAGE, pieces }).quota)
      }),
    )
  })

  it('no usage within the bound costs more than the worst case, whatever buckets its tokens are in', () => {
    const shares = fc.array(fc.nat(1000), { minLength: 9, maxLength: 9 })
    const small = fc.record({
      prompt: fc.nat(300_000),
      output: fc.nat(128_000),
      choices: fc.integer({ min: 1, max: 4 }),
    })

    fc.assert(
      fc.property(usualPrice, small, shares, (price, { prompt, output, choices }, share) => {
        const bound: RequestBound = {
          promptTokens: prompt,
          outputLimit: output,
          choices,
          cacheWrite: '1h',
          audioInput: true,
          audioOutput: true,
        }
        const input = split(prompt, share.slice(0, 6))
        const out = split(output * choices, share.slice(6))
        const usage: Usage = {
          ...NO_USAGE,
          input: input[0]!,
          cacheRead: input[1]!,
          cacheWrite5m: input[2]!,
          cacheWrite1h: input[3]!,
          imageInput: input[4]!,
          audioInput: input[5]!,
          output: out[0]!,
          reasoning: out[1]!,
          audioOutput: out[2]!,
          estimated: false,
        }

        expect(computeReceipt(price, usage).quota).toBeLessThanOrEqual(worstCaseQuota(price, bound))
      }),
      { numRuns: 1000 },
    )
  })

  it('affordable output costs at most the amount, and one more token costs more', () => {
    const amounts = fc.integer({ min: 0, max: 10_000_000 })

    fc.assert(
      fc.property(
        usualPrice,
        amounts,
        fc.nat(50_000),
        fc.integer({ min: 1, max: 4 }),
        (price, amount, prompt, choices) => {
          const bound: RequestBound = { ...SMALL_BOUND, promptTokens: prompt, choices }
          const tokens = affordableOutput(price, amount, bound)
          if (tokens === Infinity) {
            expect((price.cards[0]!.rates!.output ?? 0) * price.quotaPerRate * price.groupRatio).toBe(0)
            return
          }
          if (tokens > 0) expect(worstCaseQuota(price, { ...bound, outputLimit: tokens })).toBeLessThanOrEqual(amount)
          expect(worstCaseQuota(price, { ...bound, outputLimit: tokens + 1 })).toBeGreaterThan(amount)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('a receipt', () => {
  it('never decreases when usage grows', () => {
    fc.assert(
      fc.property(tokenPrice, usageWith(count), usageWith(count), (price, some, more) => {
        const less = computeReceipt(price, some).quota

        expect(computeReceipt(price, addUsage(some, more)).quota).toBeGreaterThanOrEqual(less)
      }),
    )
  })

  it('does not depend on how a stream reports its usage', () => {
    const reports = fc.array(usageWith(fc.nat(5000)), { minLength: 1, maxLength: 8 })

    fc.assert(
      fc.property(fc.oneof(tokenPrice, callPrice), reports, fc.nat(8), (price, reports, at) => {
        const sum = (parts: Usage[]) => parts.reduce(addUsage, NO_USAGE)
        const split = addUsage(sum(reports.slice(at)), sum(reports.slice(0, at)))

        expect(computeReceipt(price, split, MOMENT)).toEqual(computeReceipt(price, sum(reports), MOMENT))
      }),
    )
  })

  it('is 0 in a group with ratio 0, and at least 1 for a used request with a price', () => {
    fc.assert(
      fc.property(fc.oneof(tokenPrice, callPrice), usageWith(count), (price, usage) => {
        const used = promptTokens(usage) + completionTokens(usage) > 0
        const unit = price.kind === 'token' ? price.quotaPerRate : price.callPrice
        const { quota } = computeReceipt(price, usage)

        expect(computeReceipt({ ...price, groupRatio: 0 }, usage).quota).toBe(0)
        expect(quota > 0).toBe(used && unit > 0 && price.groupRatio > 0)
      }),
    )
  })

  it('is recomputed exactly from its log row', () => {
    const priced = fc.oneof(
      fc.tuple(tokenPrice, usageWith(count)),
      fc.tuple(callPrice, usageWith(count)),
      fc.tuple(
        callPriceWith(ratio, fc.constant(500_000), true),
        fc.nat(10).map((pieces): Usage => ({ ...NO_USAGE, pieces })),
      ),
    )

    fc.assert(
      fc.property(priced, ([price, usage]) => {
        const receipt = computeReceipt(price, usage)
        const other = JSON.parse(JSON.stringify(logFactors(toReceiptData(receipt), usage))) as Record<string, unknown>

        expect(
          recomputeQuota({ promptTokens: promptTokens(usage), completionTokens: completionTokens(usage), other }),
        ).toBe(receipt.quota)
      }),
      { numRuns: 2000 },
    )
  })
})

function priceWith(figure: fc.Arbitrary<number>): fc.Arbitrary<TokenPrice> {
  const ratios = fc.record({
    modelRatio: figure,
    completionRatio: figure,
    cacheRatio: figure,
    cacheWriteRatio: figure,
    cacheWrite1hRatio: figure,
    audioRatio: figure,
    audioCompletionRatio: figure,
  })
  return fc.tuple(figure, ratios).map(([groupRatio, ofModel]): TokenPrice => {
    const base = { priceName: 'm', group: 'default', quotaPerUnit: 500_000, groupRatio }
    const { modelRatio, ...rest } = ofModel
    const rates = {
      input: 1,
      output: rest.completionRatio,
      cacheRead: rest.cacheRatio,
      cacheWrite5m: rest.cacheWriteRatio,
      cacheWrite1h: rest.cacheWrite1hRatio,
      audioInput: rest.audioRatio,
      audioOutput: rest.audioCompletionRatio,
    }
    return { kind: 'token', ...base, cards: [{ rates }], quotaPerRate: modelRatio * 1_000_000 }
  })
}

function callPriceWith(
  figure: fc.Arbitrary<number>,
  quotaPerUnit: fc.Arbitrary<number>,
  withImage = false,
): fc.Arbitrary<CallPrice> {
  const image = fc.record({
    size: fc.constantFrom('', '1024x1792'),
    quality: fc.constantFrom('', 'hd'),
    sizeRatio: fc.constantFrom(0.4, 0.45, 1, 2),
    qualityRatio: fc.constantFrom(1, 1.5, 2),
    modelRatio: figure,
  })
  return fc.record({
    kind: fc.constant('call' as const),
    priceName: fc.constant('m'),
    group: fc.constant('default'),
    quotaPerUnit,
    groupRatio: figure,
    callPrice: figure,
    ...(withImage && { image }),
  })
}

function usageWith(bucket: fc.Arbitrary<number>): fc.Arbitrary<Usage> {
  return fc.record({
    input: bucket,
    cacheRead: bucket,
    cacheWrite5m: bucket,
    cacheWrite1h: bucket,
    output: bucket,
    reasoning: bucket,
    imageInput: bucket,
    imageCached: fc.constant(0),
    imageOutput: fc.constant(0),
    audioInput: bucket,
    audioCached: fc.constant(0),
    audioOutput: bucket,
    videoOutput: fc.constant(0),
    citation: fc.constant(0),
    estimated: fc.boolean(),
  })
}

/** Divides a count into parts with the given weights; the first part takes the remainder. */
function split(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((added, weight) => added + weight, 0) || 1
  const parts = weights.map((weight) => Math.floor((total * weight) / sum))
  parts[0]! += total - parts.reduce((added, part) => added + part, 0)
  return parts
}

/** Invalid numbers throw a RangeError and nothing else. */
function orRejected(work: () => number): number | 'rejected' {
  try {
    return work()
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError)
    return 'rejected'
  }
}
