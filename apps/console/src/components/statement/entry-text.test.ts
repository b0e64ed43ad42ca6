import { describe, expect, it } from 'vitest'
import { decimalsOf, referenceName, signedAmount, usageLogPath } from './entry-text.ts'

const inDollars = { quotaPerUnit: 500_000, inCurrency: true }

describe('an entry of the statement', () => {
  it.each([
    [500_000, 2, '+$1.00'],
    [500_000, 4, '+$1.0000'],
    [-6150, 4, '-$0.0123'],
    [0, 2, '$0.00'],
  ])('shows %i with %i decimals as %s', (quota, decimals, text) => {
    expect(signedAmount(quota, decimals, inDollars)).toBe(text)
  })

  it.each([
    ['top_up', 'top_up:USR1NO2', 'USR1NO2'],
    ['top_up_refund', 'top_up:USR1NO2:3', 'USR1NO2'],
    ['rebate_reversal', 'top_up:USR1NO2:3', 'USR1NO2'],
    ['redemption', 'redemption:12', '#12'],
    ['refund', 'drawing:5', 'drawing:5'],
    ['setup_grant', 'setup', ''],
    ['usage', '', ''],
  ])('names the cause of %s (%s) as "%s"', (kind, reference, name) => {
    expect(referenceName({ kind, reference })).toBe(name)
  })

  it.each([
    ['a past day', 23, 59, 59],
    ['the current day', 9, 30, 0],
  ])('links usage of %s to the log of that day', (_, hours, minutes, seconds) => {
    const at = (...time: [number, number, number]) => new Date(2026, 10, 15, ...time).getTime() / 1000
    const search = `start=${at(0, 0, 0)}&end=${at(23, 59, 59)}&username=mira`

    expect(usageLogPath({ created_at: at(hours, minutes, seconds) }, 'mira')).toBe(`/app/logs/api-usage?${search}`)
  })
})

it('shows a page with two decimals, or with four if an amount is below a cent', () => {
  expect(decimalsOf([{ amount: -6150 }, { amount: 500_000 }], inDollars)).toBe(2)
  expect(decimalsOf([{ amount: -4000 }, { amount: 500_000 }], inDollars)).toBe(4)
  expect(decimalsOf([{ amount: 0 }], inDollars)).toBe(2)
})
