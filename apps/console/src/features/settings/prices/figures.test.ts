import { describe, expect, it } from 'vitest'
import { figureProblem, inputPriceOf, multipleOf, multiplePriceOf, ratioOf, readFigure } from './figures.ts'

describe('ratios and prices for a million tokens', () => {
  it.each([
    [1.25, 2.5],
    [0.075, 0.15],
    [0.15, 0.3],
    [0, 0],
  ])('a ratio of %d is %d dollars, and back', (ratio, price) => {
    expect(inputPriceOf(ratio)).toBe(price)
    expect(ratioOf(price)).toBe(ratio)
  })

  it.each([
    [0.6, 3.5],
    [0.3, 2.5],
    [0.1, 0.3],
    [0.07, 9.99],
    [3, 7],
    [1.1, 9.87654321],
  ])('input for %d and output for %d come back as they were entered', (input, output) => {
    const completion = multipleOf(output, input)!

    expect(multiplePriceOf(ratioOf(input), completion)).toBe(output)
    expect(Number(completion.toPrecision(12))).toBe(completion)
  })

  it('leaves no dust of binary fractions', () => {
    expect(multiplePriceOf(0.15, 0.1)).toBe(0.03)
    expect(multipleOf(0.3, 0.1)).toBe(3)
    expect(ratioOf(0.3)).toBe(0.15)
  })

  it('shows the price behind a stored fraction as it was meant', () => {
    expect(multiplePriceOf(0.15, 8.333333333334)).toBe(2.5)
  })

  it('finds no multiple of a price that is none', () => {
    expect(multipleOf(2, 0)).toBeNull()
  })
})

describe('a typed figure', () => {
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
  ])('%j', (text, problem, figure) => {
    expect(figureProblem(text)).toBe(problem)
    expect(readFigure(text)).toBe(figure)
  })
})
