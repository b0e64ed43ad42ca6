const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Today the time, within a week the weekday and time, otherwise month, day and time: in the person's own zone. */
export function messageTime(time: Date, language: string, now = new Date()): string {
  const clock = new Intl.DateTimeFormat(language, CLOCK).format(time)
  const days = dayNumber(now) - dayNumber(time)
  if (days === 0) return clock
  if (days > 0 && days < 7) return `${new Intl.DateTimeFormat(language, { weekday: 'short' }).format(time)} ${clock}`
  return `${new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(time)} ${clock}`
}

/** Days of the calendar, which the hours of a change of clocks must not shift. */
const dayNumber = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000
