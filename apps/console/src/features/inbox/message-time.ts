const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Today the time, within a week weekday and time, otherwise month, day and time, in the local time zone. */
export function messageTime(time: Date, language: string, now = new Date()): string {
  const clock = new Intl.DateTimeFormat(language, CLOCK).format(time)
  const days = dayNumber(now) - dayNumber(time)
  if (days === 0) return clock
  if (days > 0 && days < 7) return `${new Intl.DateTimeFormat(language, { weekday: 'short' }).format(time)} ${clock}`
  return `${new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(time)} ${clock}`
}

/** Calendar days in UTC, so that daylight saving time does not shift them. */
const dayNumber = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000
