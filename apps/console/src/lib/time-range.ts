import { formatExactTime } from './format.ts'
import { wholeNumber } from './whole-number.ts'

export const RANGES = ['today', 'yesterday', 'week', 'month', 'custom'] as const
export type RangeName = (typeof RANGES)[number]

export interface Bounds {
  /** Unix seconds; null where the range is open. */
  start: number | null
  end: number | null
}

/** From when to when a list looks, as the address holds it; it has times of its own only with the custom range. */
export interface TimeRange extends Bounds {
  range: RangeName
}

export const AT_ANY_TIME: Bounds = { start: null, end: null }

/** @param usual how far the list looks back when nothing is chosen. */
export function readTimeRange(search: URLSearchParams, usual: RangeName): TimeRange {
  return {
    range: RANGES.find((range) => range === search.get('range')) ?? usual,
    start: wholeNumber(search.get('start')),
    end: wholeNumber(search.get('end')),
  }
}

const DAYS_BACK: Record<Exclude<RangeName, 'custom'>, number> = { today: 0, yesterday: 1, week: 6, month: 29 }
/** The clock of the server may be ahead of this one. */
const AHEAD_SECONDS = 3600

/** The times of a range, taken when the call is made: a page left open asks for what is new. */
export function boundsOf({ range, start, end }: TimeRange, now = new Date()): Bounds {
  if (range === 'custom') return { start, end }
  const from = midnight(now, DAYS_BACK[range])
  if (range === 'yesterday') return { start: from, end: midnight(now, 0) - 1 }
  return { start: from, end: Math.floor(now.getTime() / 1000) + AHEAD_SECONDS }
}

function midnight(now: Date, daysBack: number): number {
  return Math.floor(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack).getTime() / 1000)
}

/** A range in a few words: its name, or its times to the minute where it is one's own. */
export function rangeInWords({ range, start, end }: TimeRange, nameOf: (range: RangeName) => string): string {
  return range === 'custom' ? `${toTheMinute(start)} – ${toTheMinute(end)}` : nameOf(range)
}

function toTheMinute(time: number | null): string {
  return time === null ? '…' : formatExactTime(time).slice(0, 'yyyy-mm-dd hh:mm'.length)
}
