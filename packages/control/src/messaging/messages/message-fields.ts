import { api, ApiError, stripNul } from '@tidegate/contract'
import { z } from 'zod'
import { cleanHtml, cleanMarkdown } from './clean-markdown.ts'

const MAX_DELAY_SECONDS = api.MESSAGE_LIMITS.scheduleDays * 86_400

/** Validates and sanitizes a message. */
export function checkText({ title, content, format }: api.MessageText) {
  const checked = { title: checkTitle(title), format: checkFormat(format) }
  return { ...checked, content: checkContent(content, checked.format) }
}

function checkTitle(text: string): string {
  const title = stripNul(text).replace(/\s+/g, ' ').trim().toWellFormed()
  if (title === '') throw new ApiError('message_title_required')
  const limit = api.MESSAGE_LIMITS.title
  if ([...title].length > limit) throw new ApiError('message_title_too_long', { limit })
  return title
}

function checkFormat(text: string): api.MessageFormat {
  const format = text.trim()
  if (format === '') return 'markdown'
  if (!(api.MESSAGE_FORMATS as readonly string[]).includes(format)) throw new ApiError('message_format_invalid')
  return format as api.MessageFormat
}

/** Measured after sanitizing, which makes some texts longer. */
function checkContent(text: string, format: api.MessageFormat): string {
  const input = stripNul(text).trim().toWellFormed()
  if (input === '') throw new ApiError('message_content_required')
  checkSize(input)
  const content = (format === 'html' ? cleanHtml(input) : cleanMarkdown(input)).trim()
  if (content === '') throw new ApiError('message_content_required')
  checkSize(content)
  return content
}

function checkSize(content: string): void {
  const limit = api.MESSAGE_LIMITS.contentBytes
  if (Buffer.byteLength(content) > limit) throw new ApiError('message_content_too_long', { limit: limit / 1024 })
}

/** Past times are rejected, because their meaning would be ambiguous. */
export function checkSendAt(seconds: number, now: Date): Date {
  const wait = seconds - now.getTime() / 1000
  if (!Number.isInteger(seconds) || wait <= 0 || wait > MAX_DELAY_SECONDS) throw new ApiError('message_time_invalid')
  return new Date(seconds * 1000)
}

const DAY_MS = 86_400_000
const Day = z.iso.date()
const Moment = z.iso.datetime({ offset: true, local: true })

/** Time range of two dates, both inclusive; an end date without a time covers the whole day. */
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
