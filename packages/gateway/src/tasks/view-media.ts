import { asJsonObject } from '@tidegate/dialects'
import type { StoredTask } from '../ports/index.ts'

/** A song in the words of the services its clients were written for. */
export function viewMusic(task: StoredTask): object {
  return {
    task_id: task.vendorId,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: seconds(task.submittedAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
    progress: `${task.progress}%`,
    data: task.data,
  }
}

const VIDEO_STATUSES: Readonly<Record<string, string>> = {
  SUCCESS: 'completed',
  FAILURE: 'failed',
  IN_PROGRESS: 'in_progress',
}

/** A video in OpenAI's words: what the vendor said last, under what we know to be true. */
export function viewVideo(task: StoredTask): object {
  const status = VIDEO_STATUSES[task.status] ?? 'queued'
  return {
    model: task.model,
    created_at: seconds(task.submittedAt),
    ...(task.properties['size'] !== undefined && { size: task.properties['size'] }),
    ...(typeof task.properties['seconds'] === 'number' && { seconds: String(task.properties['seconds']) }),
    ...asJsonObject(task.data),
    id: task.vendorId,
    object: 'video',
    status,
    progress: task.progress,
    ...(status === 'completed' && { completed_at: seconds(task.finishedAt) }),
    error: status === 'failed' ? { code: 'video_generation_failed', message: task.failReason } : null,
  }
}

function seconds(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000)
}
