import { expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'

it('estimates a quarter token per ASCII character and one per other character', () => {
  expect(estimateTokens(['abcdefgh', '潮汐', 'a'])).toBe(5)
  expect(estimateTokens([])).toBe(0)
})
