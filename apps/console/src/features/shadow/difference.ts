import { compact, formatCallPrice, formatSpending, moneyRules } from '../../lib/format.ts'

/** What a charge is of: one call, or all of a period. */
export type ChargeKind = 'call' | 'sum'

/** How our charge compares with the old one. */
export interface Difference {
  quota: number
  /** Of the old charge; null where that was nothing, and no share of it can be told. */
  share: number | null
}

/** Null while one of the two is not known. */
export function differenceOf(old: number | null, ours: number | null): Difference | null {
  if (old === null || ours === null) return null
  const quota = ours - old
  return { quota, share: old === 0 ? (quota === 0 ? 0 : null) : quota / Math.abs(old) }
}

/** With its sign, so that more and less can be told apart without a colour. */
export function formatDifference(quota: number, kind: ChargeKind, rules = moneyRules()): string {
  const written = kind === 'sum' ? formatSpending(quota, rules) : formatCallPrice(quota, rules)
  return quota > 0 ? `+${written}` : written
}

/** `+3.4%`; a share that is there but tiny does not read as none. */
export function formatShareChange(share: number): string {
  const percent = Math.abs(share * 100)
  const sign = share > 0 ? '+' : share < 0 ? '-' : ''
  if (percent === 0) return '0%'
  if (percent < 0.01) return `${sign}<0.01%`
  if (percent >= 1000) return `${sign}${compact(Math.round(percent))}%`
  return `${sign}${Number(percent.toFixed(percent < 1 ? 2 : 1))}%`
}

/** What part of a whole this is, without a sign; nothing of nothing is nothing. */
export function formatPart(part: number, whole: number): string {
  return whole === 0 ? '0%' : formatShareChange(part / whole).replace('+', '')
}
