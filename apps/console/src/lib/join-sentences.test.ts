import { expect, it } from 'vitest'
import { joinSentences } from './join-sentences.ts'

it('puts a space between sentences, except after a full-width stop', () => {
  expect(joinSentences('One.', '', 'Two.')).toBe('One. Two.')
  expect(joinSentences('一。', '二。')).toBe('一。二。')
})
