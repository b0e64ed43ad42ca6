import type { ShadowCall } from '@tidegate/contract/api'
import { compact, formatCallPrice, formatColumnPrice, formatSpending, moneyRules } from '../../lib/format.ts'
import type { RowTone } from '../../ui/feedback/status-tag.tsx'

/** The charge of one request, or of a whole period. */
export type ChargeKind = 'call' | 'sum'

/** The new charge less the old one. */
export interface Difference {
  quota: number
  /** Relative to the old charge; null if that was zero. */
  share: number | null
}

/** Null while one of the charges is unknown. */
export function differenceOf(old: number | null, ours: number | null): Difference | null {
  if (old === null || ours === null) return null
  const quota = ours - old
  return { quota, share: old === 0 ? (quota === 0 ? 0 : null) : quota / Math.abs(old) }
}

/** With a sign, so that no colour is needed. */
export function formatDifference(
  quota: number,
  { kind = 'call', decimals }: { kind?: ChargeKind; decimals?: number | undefined } = {},
  rules = moneyRules(),
): string {
  const write = kind === 'sum' ? formatSpending : formatCallPrice
  const written = decimals === undefined ? write(quota, rules) : formatColumnPrice(quota, decimals, rules)
  return quota > 0 ? `+${written}` : written
}

/** `+3.4%`, always with one decimal, so that a column can be compared. A tiny share is not rounded to zero. */
export function formatShareChange(share: number): string {
  const percent = Math.abs(share * 100)
  const sign = share > 0 ? '+' : share < 0 ? '-' : ''
  if (percent === 0) return '0.0%'
  if (percent < 0.1) return `${sign}<0.1%`
  if (percent >= 1000) return `${sign}${compact(Math.round(percent))}%`
  return `${sign}${percent.toFixed(1)}%`
}

/** The share of a whole, without a sign. */
export function formatPart(part: number, whole: number): string {
  return whole === 0 ? '0.0%' : formatShareChange(part / whole).replace('+', '')
}

/** How a request compares with the old gateway. */
export type Outcome = 'refused' | 'unmatched' | 'same' | 'channel' | 'charge' | 'both'

export const OUTCOME_TONES: Record<Outcome, RowTone> = {
  refused: 'bad',
  unmatched: 'neutral',
  same: 'usual',
  channel: 'warn',
  charge: 'warn',
  both: 'warn',
}

type Compared = Pick<
  ShadowCall,
  'refusal' | 'old_log_at' | 'channel_id' | 'old_channel_id' | 'old_quota' | 'would_quota'
>

/** A rejection counts before everything else, because callers notice it. */
export function outcomeOf(request: Compared): Outcome {
  if (request.refusal !== null) return 'refused'
  if (request.old_log_at === null) return 'unmatched'
  const isOtherChannel = request.old_channel_id !== request.channel_id
  const isOtherCharge = request.old_quota !== request.would_quota
  if (isOtherChannel && isOtherCharge) return 'both'
  return isOtherChannel ? 'channel' : isOtherCharge ? 'charge' : 'same'
}
