import type { TimeStep } from '@tidegate/contract/api'

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
  /** Unix seconds. The first step may start earlier and is shown from here only. */
  from: number
  /** Unix seconds. The last step may end later and is shown up to here only. */
  until: number
}

type StepZone = Pick<ShownTime, 'step' | 'inUtc'>

/** `11-15 09:00`, `11-15`, or for a week `11-09 – 11-15`. */
export function stepName(start: number, { step, inUtc }: StepZone): string {
  const time = partsOf(start, inUtc)
  if (step === 'hour') return `${time.day} ${time.clock}`
  if (step === 'day') return time.day
  const sunday = partsOf(start + 6.5 * 86_400, inUtc) // noon, because a day may have 23 hours
  return `${time.day} – ${sunday.day}`
}

/** The time from which a partial first day or week is shown: `14:00`, or with its day; blank for a whole step. */
export function partialFrom(start: number, { step, inUtc, from }: Omit<ShownTime, 'until'>): string {
  const first = startOfHour(from)
  if (step === 'hour' || start >= first) return ''
  const { day, clock } = partsOf(first, inUtc)
  return step === 'day' ? clock : `${day} ${clock}`
}

/** The time up to which an incomplete last step is shown: `14:37`, or with its day; blank for a whole step. */
export function partialUntil(start: number, { step, inUtc, until }: Omit<ShownTime, 'from'>): string {
  const end = (inUtc ? utcCalendar : localCalendar).next(start, step)
  if (until >= end - 1) return '' // a range ends with the last second of its last day
  const { day, clock } = partsOf(until, inUtc)
  return step === 'week' ? `${day} ${clock}` : clock
}

/** Label on the axis: the hour, or the day at midnight. */
export function stepTick(start: number, { step, inUtc }: StepZone): string {
  const time = partsOf(start, inUtc)
  return step === 'hour' && time.hour > 0 ? time.clock : time.day
}

/** With many hours only some midnights get a label: the indexes of those steps. */
export function labelledHours(starts: readonly number[], inUtc: boolean): ReadonlySet<number> {
  const midnights = [...starts.keys()].filter((index) => partsOf(starts[index]!, inUtc).hour === 0)
  const every = Math.ceil(midnights.length / MAX_LABELS)
  return new Set(midnights.filter((_, place) => place % every === 0))
}

const MAX_LABELS = 7

function partsOf(unixSeconds: number, inUtc: boolean) {
  const time = new Date(unixSeconds * 1000)
  const [month, date, hour, minute] = inUtc
    ? [time.getUTCMonth(), time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()]
    : [time.getMonth(), time.getDate(), time.getHours(), time.getMinutes()]
  return { day: `${two(month + 1)}-${two(date)}`, clock: `${two(hour)}:${two(minute)}`, hour }
}

const two = (value: number) => String(value).padStart(2, '0')
