import { dollars, moneyRules } from '../../lib/format.ts'

/** Formats quota in dollars, even if the site displays quota. */
export function inDollars(quota: number): string {
  return dollars(quota / moneyRules().quotaPerUnit, 2, 6)
}
