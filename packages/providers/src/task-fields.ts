import { asText } from '@tidegate/dialects'
import type { UpstreamTaskStatus } from './task.ts'

const MAX_ID_LENGTH = 200
const MAX_URL_LENGTH = 8192
const MAX_REASON_LENGTH = 1000
/** 2100-01-01: later times are invalid. */
const LATEST_TIME_MS = 4_102_444_800_000
/** Larger values are milliseconds: as seconds they would be in the year 5138, as milliseconds this is 1973. */
const MIN_MILLISECONDS = 100_000_000_000

/** Reads a task id. Returns undefined if it is empty, too long, has control characters, or would change a path. */
export function readTaskId(value: unknown): string | undefined {
  const id = Number.isSafeInteger(value) ? String(value) : asText(value)
  const isName = id.trim() !== '' && id.length <= MAX_ID_LENGTH && id !== '.' && id !== '..'
  return isName && !/\p{C}/u.test(id) ? id : undefined
}

/** An unknown status becomes UNKNOWN, which any other status may replace. */
export function readStatus(statuses: ReadonlyMap<string, UpstreamTaskStatus>, value: unknown): UpstreamTaskStatus {
  return statuses.get(asText(value).toUpperCase()) ?? 'UNKNOWN'
}

/** A whole percentage, from a number or a text such as `35%`. */
export function readPercent(value: unknown): number | undefined {
  const percent = typeof value === 'number' ? value : /^\s*(\d{1,3}(?:\.\d+)?)\s*%?\s*$/.exec(asText(value))?.[1]
  if (percent === undefined || !Number.isFinite(Number(percent))) return undefined
  return Math.min(100, Math.max(0, Math.trunc(Number(percent))))
}

/** Reads Unix seconds or milliseconds, distinguished by their size. 0 means not set. */
export function readTime(value: unknown): Date | undefined {
  if (typeof value !== 'number' || !(value > 0)) return undefined
  const milliseconds = value < MIN_MILLISECONDS ? value * 1000 : value
  return milliseconds < LATEST_TIME_MS ? new Date(milliseconds) : undefined
}

export function readUrl(value: unknown): string | undefined {
  const text = asText(value)
  if (text.length > MAX_URL_LENGTH) return undefined
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : undefined
}

export function readReason(value: unknown): string | undefined {
  const text = asText(value).trim()
  return text === '' ? undefined : text.slice(0, MAX_REASON_LENGTH)
}
