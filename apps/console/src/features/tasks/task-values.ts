import { TASK_STATUSES, type TaskStatus } from '@tidegate/contract/api'
import type { RowTone } from '../../ui/feedback/status-tag.tsx'

/** Only these two statuses are final. */
export const isOpen = ({ status }: { status: string }): boolean => status !== 'SUCCESS' && status !== 'FAILURE'

const TONES: Record<TaskStatus, RowTone> = {
  '': 'info',
  NOT_START: 'neutral',
  SUBMITTED: 'info',
  QUEUED: 'info',
  UNKNOWN: 'neutral',
  IN_PROGRESS: 'info',
  MODAL: 'warn',
  SUCCESS: 'usual',
  FAILURE: 'bad',
}

export const statusTone = (status: string): RowTone => TONES[knownStatus(status)]

/** The key of the status in the texts. */
export function statusName(status: string): Exclude<TaskStatus, ''> | 'submitting' {
  const known = knownStatus(status)
  return known === '' ? 'submitting' : known
}

const knownStatus = (status: string): TaskStatus => TASK_STATUSES.find((known) => known === status) ?? 'UNKNOWN'

/** `35%` as a number from 0 to 100. Providers also send other texts. */
export function percentIn(progress: string): number {
  const percent = Number.parseInt(progress, 10)
  return Number.isFinite(percent) ? Math.min(Math.max(percent, 0), 100) : 0
}

interface Times {
  submit_time: number
  finish_time: number
}

/** From submission to completion, in the unit of the times; null while the task is open. */
export function durationOf({ submit_time: from, finish_time: to }: Times): number | null {
  return to > 0 && from > 0 ? Math.max(to - from, 0) : null
}

/** Below a minute only seconds, with tenths below ten seconds. */
export function splitDuration(milliseconds: number): { minutes: number; seconds: string } {
  const duration = Math.max(milliseconds, 0)
  const whole = Math.round(duration / 1000)
  if (whole < 60) return { minutes: 0, seconds: duration < 9950 ? (duration / 1000).toFixed(1) : String(whole) }
  return { minutes: Math.floor(whole / 60), seconds: String(whole % 60) }
}

/** A median of fewer durations says little. */
const MIN_TASKS = 5
const SLOW_FACTOR = 3

/** How long successful tasks of each kind usually take: the median of those listed. */
export function usualDurations<Task extends Times & { status: string }>(
  tasks: readonly Task[],
  kindOf: (task: Task) => string,
): ReadonlyMap<string, number> {
  const durations = Map.groupBy(
    tasks.filter((task) => task.status === 'SUCCESS' && durationOf(task) !== null),
    kindOf,
  )
  const known = [...durations].filter(([, sameKind]) => sameKind.length >= MIN_TASKS)
  return new Map(
    known.map(([kind, sameKind]) => {
      const sorted = sameKind.map((task) => durationOf(task)!).toSorted((a, b) => a - b)
      return [kind, sorted[Math.floor(sorted.length / 2)]!]
    }),
  )
}

/** Whether a task took much longer than others of its kind. */
export const isSlow = (duration: number, usual: number): boolean => duration > usual * SLOW_FACTOR
