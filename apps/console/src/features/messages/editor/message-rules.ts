import { MESSAGE_LIMITS } from '@tidegate/contract/api'

const LATEST_DAYS = 365

export type Problem =
  | 'titleBlank'
  | 'titleLong'
  | 'contentBlank'
  | 'contentLong'
  | 'noRecipients'
  | 'noGroup'
  | 'noTime'
  | 'timePast'
  | 'timeFar'

/** Signs are counted as people do, and as the server does. */
export function titleProblem(title: string): Problem | null {
  if (title.trim() === '') return 'titleBlank'
  return [...title.trim()].length > MESSAGE_LIMITS.title ? 'titleLong' : null
}

export function contentProblem(content: string): Problem | null {
  if (content.trim() === '') return 'contentBlank'
  return new TextEncoder().encode(content.trim()).length > MESSAGE_LIMITS.contentBytes ? 'contentLong' : null
}

export const recipientsProblem = (ids: readonly number[]): Problem | null => (ids.length === 0 ? 'noRecipients' : null)

export const groupProblem = (group: string | undefined): Problem | null => (group ? null : 'noGroup')

/** Seconds since 1970. */
export function timeProblem(time: number | null, now = Date.now() / 1000): Problem | null {
  if (time === null) return 'noTime'
  if (time <= now) return 'timePast'
  return time > now + LATEST_DAYS * 86_400 ? 'timeFar' : null
}
