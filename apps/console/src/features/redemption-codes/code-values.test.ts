import type { Redemption } from '@tidegate/contract/api'
import dayjs from 'dayjs'
import { describe, expect, it } from 'vitest'
import { BLANK, editOf, nameFor, newCodes, totalValue, valuesOf } from './code-values.ts'

const IN_CURRENCY = { quotaPerUnit: 500_000, inCurrency: true }

const STORED: Redemption = {
  id: 12,
  user_id: 1,
  key: 'aaa',
  status: 1,
  name: 'Spring',
  quota: 500_000,
  is_gift: true,
  max_uses: 5,
  used_count: 0,
  created_time: 1,
  redeemed_time: 0,
  used_user_id: 0,
  valid_from: 0,
  valid_until: 1_800_000_001,
}

describe('new codes', () => {
  it('are named after their value and omit a blank key', () => {
    expect(newCodes({ ...BLANK, name: '  ', key: ' ', count: 3 })).toEqual({
      name: '$0.20',
      quota: 100_000,
      count: 3,
      is_gift: false,
      max_uses: -1,
      valid_from: 0,
      valid_until: 0,
    })
  })

  it('are one if they have a key, which is trimmed', () => {
    expect(newCodes({ ...BLANK, key: ' WELCOME ', count: 30 })).toMatchObject({ key: 'WELCOME', count: 1 })
  })

  it('have a number of uses only as gift codes', () => {
    expect(newCodes({ ...BLANK, is_gift: true, max_uses: 9 })).toMatchObject({ is_gift: true, max_uses: 9 })
    expect(newCodes({ ...BLANK, is_gift: false, max_uses: 9 })).toMatchObject({ is_gift: false, max_uses: -1 })
  })

  it('have times in seconds', () => {
    const values = { ...BLANK, from: dayjs.unix(100), until: dayjs.unix(200) }

    expect(newCodes(values)).toMatchObject({ valid_from: 100, valid_until: 200 })
  })
})

describe('nameFor', () => {
  it.each([
    [100_000, '$0.20'],
    [1, '$0.000002'],
    [9_000_000_000_000_000, '$18,000,000,000.00'],
  ])('formats %i as %s', (quota, name) => {
    expect(nameFor(quota, IN_CURRENCY)).toBe(name)
  })

  it('is never longer than the limit', () => {
    expect(nameFor(9_000_000_000_000_000, { quotaPerUnit: 1, inCurrency: true })).toBe('9000000B')
  })
})

describe('editOf', () => {
  it('keeps unchanged values, to the second', () => {
    expect(editOf(STORED, valuesOf(STORED))).toEqual({
      id: 12,
      name: 'Spring',
      quota: 500_000,
      is_gift: true,
      max_uses: 5,
      valid_from: 0,
      valid_until: 1_800_000_001,
    })
  })

  it('does not send the value after the first use', () => {
    const used = { ...STORED, used_count: 2 }

    expect(editOf(used, { ...valuesOf(used), name: ' Summer ' })).toEqual({
      id: 12,
      name: 'Summer',
      valid_from: 0,
      valid_until: 1_800_000_001,
    })
  })
})

describe('totalValue', () => {
  it.each([
    [300_000, { count: 3 }],
    [100_000, { count: 3, key: 'WELCOME' }],
    [500_000, { is_gift: true, max_uses: 5 }],
    [null, { is_gift: true, max_uses: -1 }],
    [undefined, { count: null }],
  ] as const)('is %s', (total, changes) => {
    expect(totalValue({ ...BLANK, ...changes })).toBe(total)
  })
})
