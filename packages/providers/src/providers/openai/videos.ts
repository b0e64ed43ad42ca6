import { asJsonObject, type JsonObject } from '@tidegate/dialects'
import { endpoint, type Target } from '../../target.ts'
import type { UpstreamTaskStatus, TaskSubmission, TaskReport, TaskApi } from '../../task.ts'
import { readPercent, readReason, readStatus, readTaskId, readTime } from '../../task-fields.ts'
import { FAILURES } from '../../upstream/failure.ts'

const STATUSES: ReadonlyMap<string, UpstreamTaskStatus> = new Map([
  ['QUEUED', 'QUEUED'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['COMPLETED', 'SUCCESS'],
  ['FAILED', 'FAILURE'],
])

/** OpenAI's videos: created or remixed, and polled one by one. */
export function openaiVideos(home: string): TaskApi {
  const urlOf = ({ baseUrl }: Target, path: string) => endpoint(baseUrl || home, path)
  const videoUrl = (target: Target, upstreamId: string) => urlOf(target, `/v1/videos/${encodeURIComponent(upstreamId)}`)
  return {
    submitUrl: (target, { path }) => urlOf(target, path),
    readSubmission,
    maxPerPoll: 1,
    pollRequest: (target, [upstreamId = '']) => ({ url: videoUrl(target, upstreamId), method: 'GET' }),
    readPoll: (body) => [readVideo(body)],
    contentUrl: (target, upstreamId) => `${videoUrl(target, upstreamId)}/content`,
  }
}

function readSubmission(body: JsonObject): TaskSubmission {
  const report = readVideo(body)
  return { upstreamId: report.upstreamId, code: 1, report, body }
}

function readVideo(body: unknown): TaskReport {
  const video = asJsonObject(body)
  const upstreamId = readTaskId(video?.id)
  if (!video || upstreamId === undefined) throw FAILURES.unreadable()
  return {
    upstreamId,
    status: readStatus(STATUSES, video.status),
    progress: readPercent(video.progress),
    failReason: readReason(asJsonObject(video.error)?.message),
    finishedAt: readTime(video.completed_at),
    data: video,
  }
}
