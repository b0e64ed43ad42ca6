import { describe, expect, it } from 'vitest'
import { fileNameOf, linesOf, maskKey } from './coupon-words.ts'

describe('words about codes', () => {
  it('put name and key on a line each', () => {
    expect(
      linesOf([
        { name: 'Spring', key: 'aaa' },
        { name: '$1.00', key: 'bbb' },
      ]),
    ).toBe('Spring    aaa\n$1.00    bbb')
  })

  it.each([
    ['0123456789abcdef0123456789abcdef', '0123••••••cdef'],
    ['WELCOME-2026', 'WE••••••26'],
    ['HELLO', '••••••'],
  ])('never show enough of %s to use it', (key, masked) => {
    expect(maskKey(key)).toBe(masked)
  })

  it('name a file after the codes, without signs that no file may have', () => {
    expect(fileNameOf('$0.20')).toBe('$0.20.txt')
    expect(fileNameOf('../春/节:"x"')).toBe('.._春_节__x_.txt')
  })
})
