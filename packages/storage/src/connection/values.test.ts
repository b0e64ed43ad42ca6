import { expect, it } from 'vitest'
import { parseBigint } from './values.ts'

it('reads a bigint as a number', () => {
  expect(parseBigint('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER)
  expect(parseBigint('0')).toBe(0)
})

it('rejects a bigint outside the safe integer range', () => {
  expect(() => parseBigint('9007199254740993')).toThrow('9007199254740993')
})
