import type { TimeStep } from '@tidegate/contract/api'

/** How time is cut into steps. All times are Unix seconds. */
export interface Calendar {
  /** When the step that holds a moment began. */
  startOf(moment: number, step: TimeStep): number
  /** When the step after the one that begins here begins. */
  next(start: number, step: TimeStep): number
}

const HOUR = 3600
const DAYS = { day: 1, week: 7 } as const

/**
 * Days and weeks of the person's own zone; weeks begin on Monday. Built from dates, not from seconds: a day on which the
 * clock changes has 23 hours or 25.
 */
export const localCalendar: Calendar = {
  startOf(moment, step) {
    if (step === 'hour') return wholeHour(moment)
    const time = new Date(moment * 1000)
    const back = step === 'week' ? sinceMonday(time.getDay()) : 0
    return seconds(new Date(time.getFullYear(), time.getMonth(), time.getDate() - back).getTime())
  },
  next(start, step) {
    if (step === 'hour') return start + HOUR
    const time = new Date(start * 1000)
    return seconds(new Date(time.getFullYear(), time.getMonth(), time.getDate() + DAYS[step]).getTime())
  },
}

/** Days and weeks of UTC, in which the server sums up long spans. */
export const utcCalendar: Calendar = {
  startOf(moment, step) {
    if (step === 'hour') return wholeHour(moment)
    const time = new Date(moment * 1000)
    const back = step === 'week' ? sinceMonday(time.getUTCDay()) : 0
    return seconds(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - back))
  },
  next: (start, step) => start + (step === 'hour' ? HOUR : DAYS[step] * 24 * HOUR),
}

/** The steps from one moment to another, both included. */
export function stepsBetween(calendar: Calendar, step: TimeStep, start: number, end: number): number[] {
  const steps: number[] = []
  for (let at = calendar.startOf(start, step); at <= end; at = calendar.next(at, step)) steps.push(at)
  return steps
}

/** Sums are kept by the hours of UTC; a zone that is half an hour off sees them begin at half past. */
const wholeHour = (moment: number) => Math.floor(moment / HOUR) * HOUR
const sinceMonday = (weekday: number) => (weekday + 6) % 7
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)
