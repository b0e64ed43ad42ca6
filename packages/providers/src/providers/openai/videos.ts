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
  const videoUrl = (target: Target, vendorId: string) => urlOf(target, `/v1/videos/${encodeURIComponent(vendorId)}`)
  return {
    submitUrl: (target, { path }) => urlOf(target, path),
    readSubmission,
    atOnce: 1,
    inquire: (target, [vendorId = '']) => ({ url: videoUrl(target, vendorId), method: 'GET' }),
    readInquiry: (body) => [readVideo(body)],
    contentUrl: (target, vendorId) => `${videoUrl(target, vendorId)}/content`,
  }
}

function readSubmission(body: JsonObject): TaskSubmission {
  const news = readVideo(body)
  return { vendorId: news.vendorId, code: 1, news, body }
}

function readVideo(body: unknown): TaskReport {
  const video = asJsonObject(body)
  const vendorId = readTaskId(video?.id)
  if (!video || vendorId === undefined) throw FAILURES.unreadable()
  return {
    vendorId,
    status: readStatus(STATUSES, video.status),
    progress: readPercent(video.progress),
    failReason: readReason(asJsonObject(video.error)?.message),
    finishedAt: readTime(video.completed_at),
    data: video,
  }
}
