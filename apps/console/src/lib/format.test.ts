import { describe, expect, it } from 'vitest'
import {
  columnDecimals,
  compact,
  formatBalance,
  formatCallPrice,
  formatColumnPrice,
  formatDay,
  formatExactTime,
  formatLimit,
  formatRelativeTime,
  formatRecentTime,
  formatRowTime,
  formatSeconds,
  pluralForm,
  sumDecimals,
  type MoneyRules,
} from './format.ts'

const inDollars: MoneyRules = { quotaPerUnit: 500_000, inCurrency: true }
const inQuota: MoneyRules = { quotaPerUnit: 500_000, inCurrency: false }

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [500_000, '$1.00'],
    [61_728_394, '$123.46'],
    [617_283_940_000, '$1,234,567.88'],
    [-250_000, '-$0.50'],
    [-1, '$0.00'],
  ])('formats a balance of %i with two decimals', (quota, written) => {
    expect(formatBalance(quota, inDollars)).toBe(written)
  })

  it.each([
    [0, '$0.00'],
    [1, '$0.000002'],
    [3625, '$0.00725'],
    [128_000, '$0.256'],
    [500_000, '$1.00'],
  ])('formats a request price of %i without trailing zeros', (quota, written) => {
    expect(formatCallPrice(quota, inDollars)).toBe(written)
  })

  it.each([
    [
      [50_000, 500_000],
      ['$0.10', '$1.00'],
    ],
    [
      [50_000, 6250],
      ['$0.1000', '$0.0125'],
    ],
    [
      [1_000_000, 1],
      ['$2.0000', '<$0.0001'],
    ],
    [[], []],
  ])('formats the prices %j of a column with the same number of decimals', (quotas, written) => {
    const decimals = columnDecimals(quotas, inDollars)
    expect(quotas.map((quota) => formatColumnPrice(quota, decimals, inDollars))).toEqual(written)
  })

  it('gives a column of sums two decimals from a dollar on, and more to an amount below half a cent', () => {
    const write = (quotas: number[]) =>
      quotas.map((quota) => formatColumnPrice(quota, sumDecimals(quotas[0]!, inDollars), inDollars))

    expect(write([17_675_000, 445_700, 100])).toEqual(['$35.35', '$0.89', '$0.0002'])
    expect(write([122_800, 44_000])).toEqual(['$0.2456', '$0.0880'])
  })

  it('does not format a small price as zero', () => {
    expect(formatCallPrice(1, { quotaPerUnit: 50_000_000, inCurrency: true })).toBe('<$0.000001')
  })

  it.each([
    [9999, '9,999'],
    [10_000, '10.0k'],
    [12_345, '12.3k'],
    [999_999, '999.9k'],
    [1_000_000, '1.0M'],
    [2_560_000_000, '2.5B'],
  ])('formats %i quota compactly if the site shows no currency', (quota, written) => {
    expect(formatBalance(quota, inQuota)).toBe(written)
    expect(compact(quota)).toBe(written)
  })
})

it.each([
  [1, 'en', 'one'],
  [2, 'en', 'other'],
  [3, 'ru', 'few'],
  [5, 'ru', 'many'],
  [1, 'zh', 'other'],
])('counts %i in %s with the form "%s"', (count, language, form) => {
  expect(pluralForm(count, language)).toBe(form)
})

describe('time', () => {
  const noon = new Date(2026, 10, 15, 12, 0, 5)
  const unix = noon.getTime() / 1000

  it('is formatted to the second in the local time zone', () => {
    expect(formatExactTime(unix)).toBe('2026-11-15 12:00:05')
  })

  it('omits the current year in rows', () => {
    expect(formatRowTime(unix, 'en', noon)).toBe('Nov 15, 12:00')
    expect(formatRowTime(unix, 'zh', noon)).toBe('11月15日 12:00')
    expect(formatRowTime(unix, 'en', new Date(2027, 0, 1))).toBe('Nov 15, 2026, 12:00')
  })

  it('is relative within a week, then a day', () => {
    expect(formatRecentTime(unix, 'en', { now: new Date(2026, 10, 18, 12, 0, 5) })).toBe('3 days ago')
    expect(formatRecentTime(unix, 'en', { now: new Date(2026, 10, 18, 12, 0, 5), style: 'narrow' })).toBe('3d ago')
    expect(formatRecentTime(unix, 'en', { now: new Date(2026, 10, 23) })).toBe('Nov 15')
    expect(formatRecentTime(unix, 'en', { now: new Date(2027, 0, 1) })).toBe('Nov 15, 2026')
  })

  it('is a day in the language of the page', () => {
    expect(['en', 'zh', 'fr'].map((language) => formatDay(unix, language))).toEqual(['Nov 15', '11月15日', '15 nov.'])
  })

  it.each([
    [0, '<0.01 s'],
    [1630, '1.63 s'],
    [152_400, '152 s'],
  ])('of %i ms is measured as %s', (milliseconds, written) => {
    expect(formatSeconds(milliseconds)).toBe(written)
  })

  it.each([
    [-30, 'en', 'now'],
    [-7200, 'en', '2 hours ago'],
    [-86_400, 'en', 'yesterday'],
    [3 * 86_400, 'en', 'in 3 days'],
    [-7200, 'zh', '2小时前'],
  ])('%i seconds from now is formatted in %s as %s', (offset, language, written) => {
    expect(formatRelativeTime(unix + offset, language, { now: noon.getTime() })).toBe(written)
  })

  it('has a narrow form for tables', () => {
    expect(formatRelativeTime(unix - 86_400, 'en', { now: noon.getTime(), style: 'narrow' })).toBe('1d ago')
  })
})

it.each([
  [128_000, '128K'],
  [131_072, '128K'],
  [4096, '4K'],
  [16_385, '16.4K'],
  [200_000, '200K'],
  [1_000_000, '1M'],
  [1_048_576, '1M'],
  [500, '500'],
])('formats a limit of %i tokens as %s', (tokens, expected) => {
  expect(formatLimit(tokens)).toBe(expected)
})
