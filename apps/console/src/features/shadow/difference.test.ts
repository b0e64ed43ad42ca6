import { describe, expect, it } from 'vitest'
import { differenceOf, formatDifference, formatPart, formatShareChange } from './difference.ts'

const inDollars = { quotaPerUnit: 500_000, inCurrency: true }

describe('the difference of two charges', () => {
  it('is ours less the old one, in quota and as a share of the old one', () => {
    expect(differenceOf(50_000, 55_000)).toEqual({ quota: 5000, share: 0.1 })
    expect(differenceOf(50_000, 45_000)).toEqual({ quota: -5000, share: -0.1 })
    expect(differenceOf(50_000, 50_000)).toEqual({ quota: 0, share: 0 })
  })

  it('has no share of nothing', () => {
    expect(differenceOf(0, 500)).toEqual({ quota: 500, share: null })
    expect(differenceOf(0, 0)).toEqual({ quota: 0, share: 0 })
  })

  it('is not known while one of them is not', () => {
    expect(differenceOf(null, 500)).toBeNull()
    expect(differenceOf(500, null)).toBeNull()
  })
})

describe('a difference in words', () => {
  it.each([
    [5000, '+$0.01'],
    [-5000, '-$0.01'],
    [0, '$0.00'],
    [1, '+$0.000002'],
    [617_283_500, '+$1,234.567'],
  ])('of %i says %s', (quota, written) => {
    expect(formatDifference(quota, 'call', inDollars)).toBe(written)
  })

  it('of sums has no more decimals than their size needs', () => {
    expect(formatDifference(617_283_945, 'sum', inDollars)).toBe('+$1,234.57')
    expect(formatDifference(-61_728, 'sum', inDollars)).toBe('-$0.1235')
  })

  it('is plain quota where the site shows no currency', () => {
    expect(formatDifference(12_345, 'sum', { ...inDollars, inCurrency: false })).toBe('+12.3k')
    expect(formatDifference(-7, 'call', { ...inDollars, inCurrency: false })).toBe('-7')
  })

  it.each([
    [0.1, '+10%'],
    [-0.034_21, '-3.4%'],
    [0.001_23, '+0.12%'],
    [-0.000_001, '-<0.01%'],
    [0, '0%'],
    [25, '+2500%'],
    [123.456, '+12.3k%'],
  ])('as the share %d says %s', (share, written) => {
    expect(formatShareChange(share)).toBe(written)
  })

  it('is a part of a whole without a sign', () => {
    expect(formatPart(36, 1200)).toBe('3%')
    expect(formatPart(1, 100_000)).toBe('<0.01%')
    expect(formatPart(0, 0)).toBe('0%')
  })
})
