import { describe, expect, it } from 'vitest'
import { insertText, looksLikeSeveral, splitKeys } from './key-text.ts'

describe('the text of keys', () => {
  it.each(['a,b', 'a\nb', 'a\r\nb', 'a,'])('%j contains several keys', (text) => {
    expect(looksLikeSeveral(text)).toBe(true)
  })

  it.each(['', 'sk-a', ' sk-a\n', 'AK|SK|region', 'id.secret'])('%j contains at most one key', (text) => {
    expect(looksLikeSeveral(text)).toBe(false)
  })

  it('is split at commas and line breaks, without blanks and duplicates', () => {
    expect(splitKeys('a, b\r\nc\n\n a ')).toEqual(['a', 'b', 'c'])
  })

  it('gets pasted text in place of the selection, or at the end', () => {
    expect(insertText('abcd', 'X', 1, 3)).toBe('aXd')
    expect(insertText('ab', 'X', null, null)).toBe('abX')
  })
})
