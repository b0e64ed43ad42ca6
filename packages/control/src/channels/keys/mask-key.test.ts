import { describe, expect, it } from 'vitest'
import { hideKeys, isMasked, maskKey } from './stored-keys.ts'

describe('a masked key', () => {
  it.each([
    ['sk-1234567890abcdef', 'sk-1••••cdef'],
    ['{"type": "service_account",\n "x": 1\n}', '{"ty••••":1}'],
    ['short', '••••'],
    ['fifteen-signs-x', '••••'],
    ['', '••••'],
  ])('hides the middle of %j: %j', (key, masked) => {
    expect(maskKey(key)).toBe(masked)
    expect(isMasked(masked)).toBe(true)
    expect(isMasked(key)).toBe(false)
  })
})

describe('text that contains keys', () => {
  it('is masked, longest key first', () => {
    const keys = ['sk-abcdefghij', 'sk-abcdefghij-klmnopq']

    const shown = hideKeys('Incorrect API key sk-abcdefghij-klmnopq (not sk-abcdefghij)', keys)

    expect(shown).toBe('Incorrect API key sk-a••••nopq (not ••••)')
  })

  it('is unchanged for very short keys', () => {
    expect(hideKeys('key k rejected', ['k', ''])).toBe('key k rejected')
  })
})
