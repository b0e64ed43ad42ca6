import { describe, expect, it } from 'vitest'
import { entryOf, pricesOf, pricesOnto, problemsOf, withText } from './price-entry.ts'

describe('an entry', () => {
  it('says the same in ratios and in prices', () => {
    const entry = entryOf({ ratio: 1.25, completion: 4, cache: 0.5 }, 2)

    expect(entry).toMatchObject({ mode: 'tokens', input: '2.5', output: '10', cached: '1.25' })
  })

  it('has ratios follow prices, and prices follow ratios', () => {
    const priced = withText(withText(entryOf({}, 2), 'input', '0.6', 2), 'output', '3.5', 2)
    expect(priced).toMatchObject({ ratio: '0.3', completion: '5.83333333333', cache: '' })

    const dearer = withText(priced, 'ratio', '0.6', 2)
    expect(dearer).toMatchObject({ input: '1.2', output: '7' })
  })

  it('keeps what a person did not touch to the last digit', () => {
    const stored = { ratio: 0.15, completion: 8.333333333334, cache: undefined }

    expect(pricesOf({ ...entryOf(stored, 2), way: 'price' })).toEqual(stored)
  })

  it('is a price for each call where the model has one, which takes the place of ratios', () => {
    const entry = entryOf({ price: 0.04, ratio: 15 }, 2)

    expect(entry.mode).toBe('call')
    expect(pricesOf(entry)).toEqual({ price: 0.04 })
    expect(pricesOf({ ...entry, mode: 'tokens' })).toEqual({ ratio: 15, completion: undefined, cache: undefined })
  })

  it('leaves to each of several models what is blank', () => {
    const before = { price: 1, ratio: 2, completion: 3, cache: 0.1 }

    expect(pricesOnto(withText(entryOf({}, 2, 'ratio'), 'ratio', '5', 2), before)).toEqual({
      ratio: 5,
      completion: 3,
      cache: 0.1,
    })
    expect(pricesOnto(withText({ ...entryOf({}, 2), mode: 'call' }, 'price', '0.2', 2), before)).toEqual({ price: 0.2 })
  })
})

describe('what is wrong with an entry', () => {
  const blank = entryOf({}, 2, 'ratio')
  const byPrice = entryOf({}, 2)

  it.each([
    ['nothing entered', blank, { ratio: 'required' }],
    ['no price', { ...blank, mode: 'call' } as const, { price: 'required' }],
    ['letters', withText(blank, 'ratio', 'dear', 2), { ratio: 'number' }],
    ['less than nothing', withText(withText(blank, 'ratio', '1', 2), 'cache', '-1', 2), { cache: 'negative' }],
    ['a free input', withText(byPrice, 'input', '0', 2), {}],
    ['output of a free input', withText(withText(byPrice, 'input', '0', 2), 'output', '1', 2), { input: 'zero' }],
    ['both prices', withText(withText(byPrice, 'input', '1', 2), 'output', '0', 2), {}],
  ])('%s', (_, entry, problems) => {
    expect(problemsOf(entry)).toEqual(problems)
  })
})
