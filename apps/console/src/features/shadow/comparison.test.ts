import { describe, expect, it } from 'vitest'
import { aShadowCall, UNMATCHED } from '../../../test/sample-shadow.ts'
import { differenceOf, formatDifference, formatPart, formatShareChange, outcomeOf } from './comparison.ts'

const inDollars = { quotaPerUnit: 500_000, inCurrency: true }

describe('the difference of two charges', () => {
  it('is the new charge less the old one, in quota and relative to the old one', () => {
    expect(differenceOf(50_000, 55_000)).toEqual({ quota: 5000, share: 0.1 })
    expect(differenceOf(50_000, 45_000)).toEqual({ quota: -5000, share: -0.1 })
    expect(differenceOf(50_000, 50_000)).toEqual({ quota: 0, share: 0 })
  })

  it('has no share if the old charge was zero', () => {
    expect(differenceOf(0, 500)).toEqual({ quota: 500, share: null })
    expect(differenceOf(0, 0)).toEqual({ quota: 0, share: 0 })
  })

  it('is unknown while one charge is unknown', () => {
    expect(differenceOf(null, 500)).toBeNull()
    expect(differenceOf(500, null)).toBeNull()
  })
})

describe('the text of a difference', () => {
  it.each([
    [5000, '+$0.01'],
    [-5000, '-$0.01'],
    [0, '$0.00'],
    [1, '+$0.000002'],
    [617_283_500, '+$1,234.567'],
  ])('of %i is %s', (quota, text) => {
    expect(formatDifference(quota, {}, inDollars)).toBe(text)
  })

  it('of sums has only as many decimals as it needs', () => {
    expect(formatDifference(617_283_945, { kind: 'sum' }, inDollars)).toBe('+$1,234.57')
    expect(formatDifference(-61_728, { kind: 'sum' }, inDollars)).toBe('-$0.1235')
  })

  it('has the decimals of its column', () => {
    expect(formatDifference(5000, { decimals: 4 }, inDollars)).toBe('+$0.0100')
  })

  it('is in quota if the site shows no currency', () => {
    expect(formatDifference(12_345, { kind: 'sum' }, { ...inDollars, inCurrency: false })).toBe('+12.3k')
    expect(formatDifference(-7, {}, { ...inDollars, inCurrency: false })).toBe('-7')
  })

  it.each([
    [0.1, '+10.0%'],
    [-0.034_21, '-3.4%'],
    [0.001_23, '+0.1%'],
    [-0.000_001, '-<0.1%'],
    [0, '0.0%'],
    [25, '+2,500%'],
    [123.456, '+12.3k%'],
  ])('as the share %d is %s', (share, text) => {
    expect(formatShareChange(share)).toBe(text)
  })

  it('has no sign as a part of a whole', () => {
    expect(formatPart(36, 1200)).toBe('3.0%')
    expect(formatPart(1, 100_000)).toBe('<0.1%')
    expect(formatPart(0, 0)).toBe('0.0%')
  })
})

const equalCharges = { old_quota: 50_000, would_quota: 50_000 }

describe('the outcome of a request', () => {
  it.each([
    ['same', equalCharges],
    ['charge', {}],
    ['channel', { ...equalCharges, old_channel_id: 9 }],
    ['both', { old_channel_id: 9 }],
    ['unmatched', UNMATCHED],
    ['refused', { ...UNMATCHED, refusal: 'no_channel', channel_id: null }],
    ['refused', { refusal: 'no_channel', channel_id: null }],
  ] as const)('is %s', (outcome, changes) => {
    expect(outcomeOf(aShadowCall(changes))).toBe(outcome)
  })
})
