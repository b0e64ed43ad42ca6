import { ApiError } from '@tidegate/contract'

const HOUR_MS = 3_600_000
const MAX_NAME_LENGTH = 64

export interface DaySpan {
  /** Whole UTC hours. */
  readonly from: Date
  readonly to: Date
}

/** Today until the end of the current hour, and the same hours of yesterday, in a time zone. */
export function localDays(now: Date, timezone: string): { today: DaySpan; yesterday: DaySpan } {
  const { year, month, day } = wallClock(now, formatFor(timezone))
  const midnight = (date: number) => floorHour(midnightOf(timezone, Date.UTC(year, month - 1, date)))
  const [first, before] = [midnight(day), midnight(day - 1)]
  const end = floorHour(now.getTime()) + HOUR_MS
  // A day of 23 hours must not reach into today.
  const same = Math.min(before + end - first, first)
  return {
    today: { from: new Date(first), to: new Date(end) },
    yesterday: { from: new Date(before), to: new Date(same) },
  }
}

/** The starts of the hours of a span, in Unix seconds. */
export function hoursOf({ from, to }: DaySpan): number[] {
  const count = (to.getTime() - from.getTime()) / HOUR_MS
  return Array.from({ length: count }, (_, index) => from.getTime() / 1000 + index * 3600)
}

/** The moment at which clocks of the zone show this time, which is given as if they showed UTC. */
function midnightOf(timezone: string, shown: number): number {
  const format = formatFor(timezone)
  const offsetAt = (moment: number) => {
    const { year, month, day, hour, minute, second } = wallClock(new Date(moment), format)
    return Date.UTC(year, month - 1, day, hour, minute, second) - moment
  }
  // The second step corrects the offset where it changes between both moments.
  const guess = shown - offsetAt(shown)
  return shown - offsetAt(guess)
}

function formatFor(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    throw new ApiError('timezone_unknown', { timezone: timezone.slice(0, MAX_NAME_LENGTH) })
  }
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

function wallClock(moment: Date, format: Intl.DateTimeFormat): Record<Field, number> {
  const parts = format.formatToParts(moment).map(({ type, value }) => [type, Number(value)])
  return Object.fromEntries(parts) as Record<Field, number>
}

function floorHour(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS
}
