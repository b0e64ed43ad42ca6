import { describe, expect, it } from 'vitest'
import { referenceName, signedAmount } from './entry-text.ts'

describe('an entry of the statement', () => {
  it.each([
    [500_000, '+$1.00'],
    [-6150, '-$0.0123'],
    [0, '$0.00'],
  ])('shows %i as %s', (quota, text) => {
    expect(signedAmount(quota, { quotaPerUnit: 500_000, inCurrency: true })).toBe(text)
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
