import { describe, expect, it } from 'vitest'
import { IntegerList, OptionalText, TextList } from './values.ts'

describe('a list in a query', () => {
  it.each([
    ['a, b,,c ', ['a', 'b', 'c']],
    ['', undefined],
    [' , ', undefined],
    [undefined, undefined],
    [['a'], undefined],
    ['\0a', ['a']],
  ])('parses the texts %j as %j', (value, list) => {
    expect(TextList.parse(value)).toEqual(list)
  })

  it.each([
    ['1, 2,x,3.5,-4', [1, 2, -4]],
    ['x', []],
    ['', undefined],
    ['99999999999999999999', []],
  ])('parses the numbers %j as %j', (value, list) => {
    expect(IntegerList.parse(value)).toEqual(list)
  })
})

it('removes NUL from query texts', () => {
  expect(OptionalText.parse(' a\0b ')).toBe('ab')
  expect(OptionalText.parse('\0')).toBeUndefined()
})
