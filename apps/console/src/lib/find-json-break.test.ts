import { assert, json, property } from 'fast-check'
import { expect, it } from 'vitest'
import { findBreak } from './find-json-break.ts'

it.each([
  ['', 0],
  ['{"a": }', 6],
  ['{"a" 1}', 5],
  ['{a: 1}', 1],
  ['{"a": 1,}', 8],
  ['{"a": 1 "b": 2}', 8],
  ['[1, 2', 5],
  ['[1,]', 3],
  ['{"a": "no end}', 6],
  ['{"a": 01}', 7],
  ['{"a": tru}', 6],
  ['{} {}', 3],
  ['{"a": "\\x"}', 6],
])('finds the syntax error in %s', (text, index) => {
  expect(findBreak(text)).toBe(index)
})

it('returns the text length for valid JSON', () => {
  assert(
    property(json(), (text) => {
      expect(findBreak(text)).toBe(text.length)
    }),
  )
})
