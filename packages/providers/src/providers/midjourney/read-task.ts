import { asJsonObject } from '@tidegate/dialects'
import type { UpstreamTaskStatus, TaskReport } from '../../task.ts'
import { readUrl, readPercent, readReason, readStatus, readTaskId, readTime } from '../../task-fields.ts'
import { FAILURES } from '../../upstream/failure.ts'

const STATUSES: ReadonlyMap<string, UpstreamTaskStatus> = new Map([
  ['NOT_START', 'NOT_START'],
  ['SUBMITTED', 'SUBMITTED'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['MODAL', 'MODAL'],
  ['SUCCESS', 'SUCCESS'],
  ['FAILURE', 'FAILURE'],
  ['CANCEL', 'FAILURE'],
])

/** The valid tasks of a poll response. `null` means no tasks. */
export function readTasks(body: unknown): TaskReport[] {
  if (body === null) return []
  if (!Array.isArray(body)) throw FAILURES.unreadable()
  return body.map(readTask).filter((report) => report !== undefined)
}

/** A task as the proxy reports it in polls and callbacks. */
export function readTask(value: unknown): TaskReport | undefined {
  const task = asJsonObject(value)
  const upstreamId = readTaskId(task?.id)
  if (!task || upstreamId === undefined) return undefined
  return {
    upstreamId,
    status: readStatus(STATUSES, task.status),
    progress: readPercent(task.progress),
    failReason: readReason(task.failReason),
    resultUrl: readUrl(task.imageUrl),
    startedAt: readTime(task.startTime),
    finishedAt: readTime(task.finishTime),
    data: task,
  }
}
