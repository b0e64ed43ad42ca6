import { formatExactTime } from './format.ts'
import { wholeNumber } from './whole-number.ts'

/** The ranges that every list offers. */
export const RANGES = ['today', 'yesterday', 'week', 'month', 'custom'] as const
/** `all` is only offered by lists that start with it. */
export type RangeName = (typeof RANGES)[number] | 'all'

export interface Bounds {
  /** Unix seconds; null where the range is open. */
  start: number | null
  end: number | null
}

/** The time range of a list, from the URL. Only the custom range has start and end times. */
export interface TimeRange extends Bounds {
  range: RangeName
}

export const AT_ANY_TIME: Bounds = { start: null, end: null }

/** @param usual the range when the URL has none. Times without the name of a range are a custom range. */
export function readTimeRange(search: URLSearchParams, usual: RangeName): TimeRange {
  const [start, end] = [wholeNumber(search.get('start')), wholeNumber(search.get('end'))]
  const named = RANGES.find((range) => range === search.get('range'))
  return { range: named ?? (start === null && end === null ? usual : 'custom'), start, end }
}

const DAYS_BACK: Record<Exclude<RangeName, 'custom' | 'all'>, number> = { today: 0, yesterday: 1, week: 6, month: 29 }
/** The clock of the server may be ahead of this one. */
const AHEAD_SECONDS = 3600

/** The times of a range. Call it for every request, so that an open page also loads new rows. */
export function boundsOf({ range, start, end }: TimeRange, now = new Date()): Bounds {
  if (range === 'all') return AT_ANY_TIME
  if (range === 'custom') return { start, end }
  const from = midnight(now, DAYS_BACK[range])
  if (range === 'yesterday') return { start: from, end: midnight(now, 0) - 1 }
  return { start: from, end: Math.floor(now.getTime() / 1000) + AHEAD_SECONDS }
}

function midnight(now: Date, daysBack: number): number {
  return Math.floor(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack).getTime() / 1000)
}

/** The name of a range, or the times of a custom one to the minute. */
export function rangeInWords({ range, start, end }: TimeRange, nameOf: (range: RangeName) => string): string {
  return range === 'custom' ? `${toTheMinute(start)} – ${toTheMinute(end)}` : nameOf(range)
}

function toTheMinute(time: number | null): string {
  return time === null ? '…' : formatExactTime(time).slice(0, 'yyyy-mm-dd hh:mm'.length)
}

const MAX_DAYS_LEFT = 365

/** How long a balance lasts at the spending of some days; null if that is unknown or more than a year. */
export function daysLeft(balance: number, spent: number, days: number): number | null {
  const left = spent > 0 ? Math.floor((balance * days) / spent) : null
  return left !== null && left >= 0 && left <= MAX_DAYS_LEFT ? left : null
}
