import { asText } from '@tidegate/dialects'
import type { ReportedStatus } from './task.ts'

const MAX_ID_LENGTH = 200
const MAX_URL_LENGTH = 8192
const MAX_REASON_LENGTH = 1000
/** The first moment of the year 2100: whatever a vendor dates later is no time of a task. */
const LATEST_TIME_MS = 4_102_444_800_000
/** As seconds it lies thousands of years ahead, as milliseconds in 1973. */
const MIN_MILLISECONDS = 100_000_000_000

/**
 * What a vendor calls a task, as text. Undefined for what is no name: blank, endless, with signs that cannot be stored,
 * or one that means another place when it stands in a path, escaped or not.
 */
export function readTaskId(value: unknown): string | undefined {
  const id = Number.isSafeInteger(value) ? String(value) : asText(value)
  const isName = id.trim() !== '' && id.length <= MAX_ID_LENGTH && id !== '.' && id !== '..'
  return isName && !/\p{C}/u.test(id) ? id : undefined
}

/** A word that nobody knows is UNKNOWN, which a task only ever leaves for a better one. */
export function readStatus(statuses: ReadonlyMap<string, ReportedStatus>, value: unknown): ReportedStatus {
  return statuses.get(asText(value).toUpperCase()) ?? 'UNKNOWN'
}

/** Whole percent, of a number or a text such as `35%`. */
export function readPercent(value: unknown): number | undefined {
  const percent = typeof value === 'number' ? value : /^\s*(\d{1,3}(?:\.\d+)?)\s*%?\s*$/.exec(asText(value))?.[1]
  if (percent === undefined || !Number.isFinite(Number(percent))) return undefined
  return Math.min(100, Math.max(0, Math.trunc(Number(percent))))
}

/** A time in seconds or milliseconds since 1970, told apart by their size. 0 stands for what has not come about. */
export function readTime(value: unknown): Date | undefined {
  if (typeof value !== 'number' || !(value > 0)) return undefined
  const milliseconds = value < MIN_MILLISECONDS ? value * 1000 : value
  return milliseconds < LATEST_TIME_MS ? new Date(milliseconds) : undefined
}

/** Where something can be fetched. */
export function readUrl(value: unknown): string | undefined {
  const text = asText(value)
  if (text.length > MAX_URL_LENGTH) return undefined
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : undefined
}

/** Words for people, no longer than people read. */
export function readReason(value: unknown): string | undefined {
  const text = asText(value).trim()
  return text === '' ? undefined : text.slice(0, MAX_REASON_LENGTH)
}
