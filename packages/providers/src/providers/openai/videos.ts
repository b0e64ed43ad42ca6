import { asJsonObject, type JsonObject } from '@tidegate/dialects'
import { endpoint, type Target } from '../../target.ts'
import type { ReportedStatus, TakenOrder, TaskReport, TaskVendor } from '../../task.ts'
import { readPercent, readReason, readStatus, readTaskId, readTime } from '../../task-fields.ts'
import { FAILURES } from '../../upstream/failure.ts'

const STATUSES: ReadonlyMap<string, ReportedStatus> = new Map([
  ['QUEUED', 'QUEUED'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['COMPLETED', 'SUCCESS'],
  ['FAILED', 'FAILURE'],
])

/** Videos as OpenAI makes them: ordered as new or as another take on one, and asked after one by one. */
export function openaiVideos(home: string): TaskVendor {
  const at = ({ baseUrl }: Target, path: string) => endpoint(baseUrl || home, path)
  const videoAt = (target: Target, vendorId: string) => at(target, `/v1/videos/${encodeURIComponent(vendorId)}`)
  return {
    orderUrl: (target, { path }) => at(target, path),
    readOrder,
    atOnce: 1,
    inquire: (target, [vendorId = '']) => ({ url: videoAt(target, vendorId), method: 'GET' }),
    readInquiry: (answer) => [readVideo(answer)],
    contentUrl: (target, vendorId) => `${videoAt(target, vendorId)}/content`,
  }
}

function readOrder(answer: JsonObject): TakenOrder {
  const news = readVideo(answer)
  return { vendorId: news.vendorId, code: 1, news, answer }
}

function readVideo(answer: unknown): TaskReport {
  const video = asJsonObject(answer)
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
