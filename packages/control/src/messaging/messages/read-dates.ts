import { ApiError } from '@tidegate/contract'
import { z } from 'zod'

const DAY_MS = 86_400_000
const Day = z.iso.date()
const Moment = z.iso.datetime({ offset: true, local: true })

/** The range of time between two dates, both inclusive: an end without a time covers its whole day. */
export function readDates({ start_date, end_date }: { start_date?: string; end_date?: string }) {
  const range: { from?: Date; before?: Date } = {}
  if (start_date !== undefined) range.from = new Date(read(start_date, 'start_date').at)
  if (end_date !== undefined) {
    const { at, isDay } = read(end_date, 'end_date')
    range.before = new Date(at + (isDay ? DAY_MS : 1))
  }
  return range
}

function read(text: string, field: string): { at: number; isDay: boolean } {
  const isDay = Day.safeParse(text).success
  if (!isDay && !Moment.safeParse(text).success) throw new ApiError('message_date_invalid', { field })
  const hasOffset = isDay || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  return { at: Date.parse(hasOffset ? text : `${text}Z`), isDay }
}
