import { describe, expect, it } from 'vitest'
import { referenceName, signedAmount } from './line-words.ts'

describe('a line of the statement', () => {
  it.each([
    [500_000, '+$1.00'],
    [-6150, '-$0.0123'],
    [0, '$0.00'],
  ])('writes %i as %s', (quota, written) => {
    expect(signedAmount(quota, { quotaPerUnit: 500_000, inCurrency: true })).toBe(written)
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
})
