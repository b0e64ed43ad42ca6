import { dollars, moneyRules } from '../../lib/format.ts'

/** What an amount of quota is worth, also on a site that shows quota: here people choose by the money. */
export function inDollars(quota: number): string {
  return dollars(quota / moneyRules().quotaPerUnit, 2, 6)
}
