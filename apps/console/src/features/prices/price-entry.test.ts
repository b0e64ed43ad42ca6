import { describe, expect, it } from 'vitest'
import { entryOf, pricesOf, pricesOnto, problemsOf, withText } from './price-entry.ts'

describe('an entry', () => {
  it('shows the same values as ratios and as prices', () => {
    const entry = entryOf({ ratio: 1.25, completion: 4, cache: 0.5 }, 2)

    expect(entry).toMatchObject({ mode: 'tokens', input: '2.50', output: '10.00', cached: '1.25' })
  })

  it('updates ratios when prices change, and prices when ratios change', () => {
    const priced = withText(withText(entryOf({}, 2), 'input', '0.6', 2), 'output', '3.5', 2)
    expect(priced).toMatchObject({ ratio: '0.3', completion: '5.83333333333', cache: '' })

    const doubled = withText(priced, 'ratio', '0.6', 2)
    expect(doubled).toMatchObject({ input: '1.20', output: '7.00' })
  })

  it('keeps unedited values exactly', () => {
    const stored = { ratio: 0.15, completion: 8.333333333334, cache: undefined }

    expect(pricesOf({ ...entryOf(stored, 2), way: 'price' })).toEqual(stored)
  })

  it('uses the price per request of a model, which replaces its ratios', () => {
    const entry = entryOf({ price: 0.04, ratio: 15 }, 2)

    expect(entry.mode).toBe('call')
    expect(pricesOf(entry)).toEqual({ price: 0.04 })
    expect(pricesOf({ ...entry, mode: 'tokens' })).toEqual({ ratio: 15, completion: undefined, cache: undefined })
  })

  it('keeps the values of each model for blank fields', () => {
    const before = { price: 1, ratio: 2, completion: 3, cache: 0.1 }

    expect(pricesOnto(withText(entryOf({}, 2, 'ratio'), 'ratio', '5', 2), before)).toEqual({
      ratio: 5,
      completion: 3,
      cache: 0.1,
    })
    expect(pricesOnto(withText({ ...entryOf({}, 2), mode: 'call' }, 'price', '0.2', 2), before)).toEqual({ price: 0.2 })
  })
})

describe('problemsOf', () => {
  const blank = entryOf({}, 2, 'ratio')
  const byPrice = entryOf({}, 2)

  it.each([
    ['a blank entry', blank, { ratio: 'required' }],
    ['a missing price', { ...blank, mode: 'call' } as const, { price: 'required' }],
    ['text', withText(blank, 'ratio', 'dear', 2), { ratio: 'number' }],
    ['a negative number', withText(withText(blank, 'ratio', '1', 2), 'cache', '-1', 2), { cache: 'negative' }],
    ['a free input price', withText(byPrice, 'input', '0', 2), {}],
    [
      'an output price with a free input price',
      withText(withText(byPrice, 'input', '0', 2), 'output', '1', 2),
      { input: 'zero' },
    ],
    ['both prices', withText(withText(byPrice, 'input', '1', 2), 'output', '0', 2), {}],
  ])('%s', (_, entry, problems) => {
    expect(problemsOf(entry)).toEqual(problems)
  })
})
