import type { TimeStep } from '@tidegate/contract/api'

interface Words {
  step: TimeStep
  /** Steps of UTC are named in UTC, or a day would bear the name of the one before. */
  inUtc: boolean
}

/** `11-15 09:00`, `11-15`, or for a week `11-09 – 11-15`. */
export function stepName(start: number, { step, inUtc }: Words): string {
  const time = partsOf(start, inUtc)
  if (step === 'hour') return `${time.day} ${time.clock}`
  if (step === 'day') return time.day
  const sunday = partsOf(start + 6.5 * 86_400, inUtc) // noon: a day of 23 hours must not lead into the next
  return `${time.day} – ${sunday.day}`
}

/** From when a day or a week is shown that began before the span did: `14:00`, or with its day; blank for a whole one. */
export function cutAt(start: number, { step, inUtc, from }: Words & { from: number }): string {
  const first = Math.floor(from / 3600) * 3600
  if (step === 'hour' || start >= first) return ''
  const { day, clock } = partsOf(first, inUtc)
  return step === 'day' ? clock : `${day} ${clock}`
}

/** What stands under a bar: the hour alone, but the day where one begins. */
export function stepTick(start: number, { step, inUtc }: Words): string {
  const time = partsOf(start, inUtc)
  return step === 'hour' && time.hour > 0 ? time.clock : time.day
}

/** With many hours only days are named, and not all of them: which of the steps. */
export function namedHours(starts: readonly number[], inUtc: boolean): ReadonlySet<number> {
  const midnights = [...starts.keys()].filter((index) => partsOf(starts[index]!, inUtc).hour === 0)
  const every = Math.ceil(midnights.length / MOST_NAMES)
  return new Set(midnights.filter((_, place) => place % every === 0))
}

const MOST_NAMES = 7

function partsOf(unixSeconds: number, inUtc: boolean) {
  const time = new Date(unixSeconds * 1000)
  const [month, date, hour, minute] = inUtc
    ? [time.getUTCMonth(), time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()]
    : [time.getMonth(), time.getDate(), time.getHours(), time.getMinutes()]
  return { day: `${two(month + 1)}-${two(date)}`, clock: `${two(hour)}:${two(minute)}`, hour }
}

const two = (value: number) => String(value).padStart(2, '0')
