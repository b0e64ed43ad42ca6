import type { TimeStep } from '@tidegate/contract/api'
import { formatDay } from '../../lib/format.ts'

/** Splits time into steps. All times are Unix seconds. */
export interface Calendar {
  /** Start of the step that contains the given time. */
  startOf(time: number, step: TimeStep): number
  /** Start of the step after the one that starts at the given time. */
  next(start: number, step: TimeStep): number
}

const HOUR = 3600
const DAYS = { day: 1, week: 7 } as const

/**
 * Days and weeks in the time zone of the browser; weeks start on Monday. Computed from dates, because a day on which
 * the clock changes has 23 or 25 hours.
 */
export const localCalendar: Calendar = {
  startOf(time, step) {
    if (step === 'hour') return startOfHour(time)
    const date = new Date(time * 1000)
    const back = step === 'week' ? daysSinceMonday(date.getDay()) : 0
    return seconds(new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime())
  },
  next(start, step) {
    if (step === 'hour') return start + HOUR
    const date = new Date(start * 1000)
    return seconds(new Date(date.getFullYear(), date.getMonth(), date.getDate() + DAYS[step]).getTime())
  },
}

/** Days and weeks in UTC, as the server sums long ranges. */
export const utcCalendar: Calendar = {
  startOf(time, step) {
    if (step === 'hour') return startOfHour(time)
    const date = new Date(time * 1000)
    const back = step === 'week' ? daysSinceMonday(date.getUTCDay()) : 0
    return seconds(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - back))
  },
  next: (start, step) => start + (step === 'hour' ? HOUR : DAYS[step] * 24 * HOUR),
}

/** Starts of the steps from one time to another, both included. */
export function stepsBetween(calendar: Calendar, step: TimeStep, start: number, end: number): number[] {
  const steps: number[] = []
  for (let at = calendar.startOf(start, step); at <= end; at = calendar.next(at, step)) steps.push(at)
  return steps
}

/** Usage is stored by UTC hour; in a zone with a half-hour offset the hours start at half past. */
const startOfHour = (time: number) => Math.floor(time / HOUR) * HOUR
const daysSinceMonday = (weekday: number) => (weekday + 6) % 7
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** The steps that a chart shows. */
export interface ShownTime {
  step: TimeStep
  /** Long ranges are summed by UTC days and are named in UTC. */
  inUtc: boolean
  language: string
  /** Unix seconds. The first step may start earlier and is shown from here only. */
  from: number
  /** Unix seconds. The last step may end later and is shown up to here only. */
  until: number
}

type StepZone = Pick<ShownTime, 'step' | 'inUtc' | 'language'>

/** `Nov 15 09:00`, `Nov 15`, or for a week `Nov 9 – Nov 15`. */
export function stepName(start: number, zone: StepZone): string {
  const { day, clock } = partsOf(start, zone)
  if (zone.step === 'hour') return `${day} ${clock}`
  if (zone.step === 'day') return day
  const sunday = partsOf(start + 6.5 * 86_400, zone) // noon, because a day may have 23 hours
  return `${day} – ${sunday.day}`
}

/** The time from which a partial first day or week is shown: `14:00`, or with its day; blank for a whole step. */
export function partialFrom(start: number, { from, ...zone }: Omit<ShownTime, 'until'>): string {
  const first = startOfHour(from)
  if (zone.step === 'hour' || start >= first) return ''
  const { day, clock } = partsOf(first, zone)
  return zone.step === 'day' ? clock : `${day} ${clock}`
}

/** The time up to which an incomplete last step is shown: `14:37`, or with its day; blank for a whole step. */
export function partialUntil(start: number, { until, ...zone }: Omit<ShownTime, 'from'>): string {
  const end = (zone.inUtc ? utcCalendar : localCalendar).next(start, zone.step)
  if (until >= end - 1) return '' // a range ends with the last second of its last day
  const { day, clock } = partsOf(until, zone)
  return zone.step === 'week' ? `${day} ${clock}` : clock
}

/** Label on the axis: the hour, or the day at midnight. */
export function stepTick(start: number, zone: StepZone): string {
  const { day, clock } = partsOf(start, zone)
  return zone.step === 'hour' && hourOf(start, zone.inUtc) > 0 ? clock : day
}

/** With many hours only some midnights get a label: the indexes of those steps. */
export function labelledHours(starts: readonly number[], inUtc: boolean): ReadonlySet<number> {
  const midnights = [...starts.keys()].filter((index) => hourOf(starts[index]!, inUtc) === 0)
  const every = Math.ceil(midnights.length / MAX_LABELS)
  return new Set(midnights.filter((_, place) => place % every === 0))
}

const MAX_LABELS = 7

function partsOf(unixSeconds: number, { inUtc, language }: Omit<StepZone, 'step'>) {
  const time = new Date(unixSeconds * 1000)
  const minute = inUtc ? time.getUTCMinutes() : time.getMinutes()
  return {
    day: formatDay(unixSeconds, language, inUtc),
    clock: `${two(hourOf(unixSeconds, inUtc))}:${two(minute)}`,
  }
}

function hourOf(unixSeconds: number, inUtc: boolean): number {
  const time = new Date(unixSeconds * 1000)
  return inUtc ? time.getUTCHours() : time.getHours()
}

const two = (value: number) => String(value).padStart(2, '0')
