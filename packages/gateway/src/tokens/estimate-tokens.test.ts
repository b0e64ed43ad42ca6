import { expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'

it('guesses a quarter of Latin letters and all of the others', () => {
  expect(estimateTokens(['abcdefgh', '潮汐', 'a'])).toBe(5)
  expect(estimateTokens([])).toBe(0)
})
