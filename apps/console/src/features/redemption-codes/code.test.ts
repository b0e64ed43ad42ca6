import { describe, expect, it } from 'vitest'
import { fileNameOf, isOutOfUse, linesOf, maskKey, stateOf } from './code.ts'

const NOW = 1_800_000_000
const A_CODE = { status: 1, is_gift: false, max_uses: -1, used_count: 0, valid_from: 0, valid_until: 0 }
const A_GIFT = { ...A_CODE, is_gift: true }

describe('stateOf', () => {
  it.each([
    ['unused', A_CODE],
    ['disabled', { ...A_CODE, status: 2 }],
    ['used', { ...A_CODE, status: 3, used_count: 1 }],
    ['unknown', { ...A_CODE, status: 9 }],
    ['open', { ...A_GIFT, used_count: 7 }],
    ['open', { ...A_GIFT, max_uses: 8, used_count: 7 }],
    ['usedUp', { ...A_GIFT, max_uses: 7, used_count: 7 }],
    ['usedUp', { ...A_GIFT, max_uses: 7, used_count: 7, status: 3 }],
    ['notYet', { ...A_CODE, valid_from: NOW + 1 }],
    ['unused', { ...A_CODE, valid_from: NOW }],
    ['expired', { ...A_CODE, valid_until: NOW }],
    ['unused', { ...A_CODE, valid_until: NOW + 1 }],
    ['disabled', { ...A_CODE, status: 2, valid_until: NOW - 1 }],
  ] as const)('is %s', (state, code) => {
    expect(stateOf(code, NOW)).toBe(state)
  })
})

describe('isOutOfUse', () => {
  it.each([
    [false, A_CODE],
    [true, { ...A_CODE, status: 2 }],
    [true, { ...A_CODE, status: 3 }],
    [false, { ...A_GIFT, max_uses: 8, used_count: 7 }],
    [true, { ...A_GIFT, max_uses: 8, used_count: 8 }],
    [false, { ...A_CODE, valid_until: 1 }],
  ] as const)('%s', (isOut, code) => {
    expect(isOutOfUse(code)).toBe(isOut)
  })
})

describe('texts of codes', () => {
  it('puts name and code on one line each', () => {
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
  ])('masks %s', (key, masked) => {
    expect(maskKey(key)).toBe(masked)
  })

  it('replaces characters that a file name cannot contain', () => {
    expect(fileNameOf('$0.20')).toBe('$0.20.txt')
    expect(fileNameOf('../春/节:"x"')).toBe('.._春_节__x_.txt')
  })
})
