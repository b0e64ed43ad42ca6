import { describe, expect, it } from 'vitest'
import {
  amountsOf,
  decimalsFor,
  largestChange,
  multipleOf,
  numberProblem,
  priceOfMultiple,
  priceOfRatio,
  pricesOfAmounts,
  ratioOfPrice,
  readAmount,
  readNumber,
  scaleAmounts,
  usdPerRatio,
  withAmount,
} from './amounts.ts'

const USD = usdPerRatio(500_000)

describe('conversion between ratios and dollars', () => {
  it('is 2 USD per ratio at 500,000 quota per unit', () => {
    expect(USD).toBe(2)
    expect(usdPerRatio(1_000_000)).toBe(1)
  })

  it.each([
    [1.25, 2.5],
    [0.075, 0.15],
    [0.15, 0.3],
    [0, 0],
  ])('converts a ratio of %d to %d dollars and back', (ratio, price) => {
    expect(priceOfRatio(ratio, USD)).toBe(price)
    expect(ratioOfPrice(price, USD)).toBe(ratio)
  })

  it.each([
    [0.6, 3.5],
    [0.3, 2.5],
    [0.1, 0.3],
    [0.07, 9.99],
    [3, 7],
    [1.1, 9.87654321],
  ])('returns input %d and output %d as they were typed', (input, output) => {
    const completion = multipleOf(output, input)!

    expect(priceOfMultiple(ratioOfPrice(input, USD), completion, USD)).toBe(output)
    expect(Number(completion.toPrecision(12))).toBe(completion)
  })

  it('hides rounding errors of binary fractions', () => {
    expect(priceOfMultiple(0.15, 0.1, USD)).toBe(0.03)
    expect(multipleOf(0.3, 0.1)).toBe(3)
    expect(ratioOfPrice(0.3, USD)).toBe(0.15)
    expect(priceOfMultiple(0.15, 8.333333333334, USD)).toBe(2.5)
  })

  it('has no multiple of a free input price', () => {
    expect(multipleOf(2, 0)).toBeNull()
  })
})

describe('amounts of a model', () => {
  it('use built-in ratios where none is set', () => {
    const builtIn = { completion: 4, cache: 0.1, cacheWrite: 1.25 }

    expect(amountsOf({ ratio: 1.5 }, builtIn, USD)).toEqual({ input: 3, output: 12, cacheRead: 0.3, cacheWrite: 3.75 })
    expect(amountsOf({ ratio: 1.5, completion: 5 }, {}, USD)).toEqual({ input: 3, output: 15 })
  })

  it('come from the rate card first, then from the price per request', () => {
    const card = { rates: { input: 1, output: 2, cacheWrite5m: 3 }, fees: { request: 0.5 } }

    expect(amountsOf({ card, price: 9, ratio: 9 }, {}, USD)).toEqual({ input: 1, output: 2, cacheWrite: 3, call: 0.5 })
    expect(amountsOf({ price: 0.04, ratio: 15 }, {}, USD)).toEqual({ call: 0.04 })
  })

  it('are stored as ratios', () => {
    expect(pricesOfAmounts({ input: 3, output: 15, cacheRead: 0.3 }, USD)).toEqual({
      ratio: 1.5,
      completion: 5,
      cache: 0.1,
    })
    expect(pricesOfAmounts({ call: 0.04 }, USD)).toEqual({ price: 0.04 })
  })
})

describe('changing one amount', () => {
  it('keeps the others in dollars', () => {
    const prices = withAmount({ ratio: 1.25, completion: 4 }, { cache: 0.5 }, 'input', 5, USD)

    expect(prices).toEqual({ ratio: 2.5, completion: 2, cache: 0.25 })
    expect(withAmount({ ratio: 1.25 }, {}, 'output', 10, USD)).toEqual({ ratio: 1.25, completion: 4 })
  })

  it('needs an input price that is not 0', () => {
    expect(withAmount({}, {}, 'output', 10, USD)).toEqual({ problem: 'inputFirst' })
    expect(withAmount({ ratio: 0 }, {}, 'output', 10, USD)).toEqual({ problem: 'zero' })
  })

  it('edits the rates of a card', () => {
    const card = { rates: { input: 1, output: 2 }, tiers: [] }

    expect(withAmount({ card }, {}, 'cacheWrite', 3, USD)).toEqual({
      card: { rates: { input: 1, output: 2, cacheWrite5m: 3 }, tiers: [] },
    })
    expect(withAmount({ card }, {}, 'output', undefined, USD)).toEqual({ card: { rates: { input: 1 }, tiers: [] } })
  })

  it('replaces ratios by a price per request', () => {
    expect(withAmount({ ratio: 1, completion: 2 }, {}, 'call', 0.1, USD)).toEqual({ price: 0.1 })
  })
})

describe('a typed price', () => {
  it.each([
    ['2.5', 2.5],
    ['$ 3', 3],
    ['', undefined],
    ['=list', 2],
    ['=list*1.2', 2.4],
    ['= LIST / 4', 0.5],
    ['=list+0.1', 2.1],
    ['=list-3', { problem: 'negative' }],
    ['=list/0', { problem: 'number' }],
    ['=list*', { problem: 'number' }],
    ['=lists', { problem: 'number' }],
    ['dear', { problem: 'number' }],
    ['-1', { problem: 'negative' }],
  ])('%j', (text, amount) => {
    expect(readAmount(text, 2)).toEqual(amount)
  })

  it('needs a list price to calculate with', () => {
    expect(readAmount('=list*1.2', undefined)).toEqual({ problem: 'noList' })
  })
})

it('scales amounts without rounding errors', () => {
  expect(scaleAmounts({ input: 0.1, output: 3 }, 1.2)).toEqual({ input: 0.12, output: 3.6 })
})

it('finds the largest relative change', () => {
  expect(largestChange({ input: 2, output: 4 }, { input: 2.5, output: 4 })).toBe(0.25)
  expect(largestChange({ input: 2 }, {})).toBe(Infinity)
})

it('shows a column with the decimals that its longest price needs', () => {
  expect(decimalsFor([1, 2.5, undefined])).toBe(2)
  expect(decimalsFor([1, 0.175])).toBe(3)
  expect(decimalsFor([0.00000001])).toBe(2)
})

describe('a typed number', () => {
  it.each([
    ['', null, undefined],
    ['  ', null, undefined],
    ['0.075', null, 0.075],
    [' 2 ', null, 2],
    ['.5', null, 0.5],
    ['1e-3', null, 0.001],
    ['0', null, 0],
    ['-1', 'negative', undefined],
    ['1,5', 'number', undefined],
    ['abc', 'number', undefined],
    ['0x10', 'number', undefined],
    ['1e999', 'number', undefined],
  ])('%j', (text, problem, number) => {
    expect(numberProblem(text)).toBe(problem)
    expect(readNumber(text)).toBe(number)
  })
})
