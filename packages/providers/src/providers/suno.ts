import { asJsonObject, asList, type JsonObject } from '@tidegate/dialects'
import { classifyOpenai } from '../openai-compatible/classify.ts'
import { bearer } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'
import type { Target } from '../target.ts'
import { readUrl, readPercent, readReason, readStatus, readTaskId, readTime } from '../task-fields.ts'
import type { UpstreamTaskStatus, TaskSubmission, TaskReport } from '../task.ts'
import { FAILURES, UpstreamFailure } from '../upstream/failure.ts'

/** A proxy for songs and lyrics by Suno. */
export const suno = defineProvider({
  id: 'suno',
  baseUrl: '',
  models: ['suno_music', 'suno_lyrics'],
  authorize: bearer,
  tasks: {
    music: {
      submitUrl: (target, { action }) => urlOf(target, `/suno/submit/${encodeURIComponent(action)}`),
      readSubmission,
      maxPerPoll: 50,
      pollRequest: (target, upstreamIds) => ({
        url: urlOf(target, '/suno/fetch'),
        method: 'POST',
        body: JSON.stringify({ ids: upstreamIds }),
      }),
      readPoll: readTasks,
    },
  },
  classify: classifyOpenai,
})

function urlOf({ baseUrl }: Target, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path
}

const STATUSES: ReadonlyMap<string, UpstreamTaskStatus> = new Map([
  ['NOT_START', 'NOT_START'],
  ['SUBMITTED', 'SUBMITTED'],
  ['QUEUED', 'QUEUED'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['SUCCESS', 'SUCCESS'],
  ['FAILURE', 'FAILURE'],
])

/** Statuses by error code. The message is ignored, because it may quote a client. */
const STATUS_OF_CODE: readonly [code: RegExp, status: number][] = [
  [/quota|balance|credit|insufficient|billing/, 402],
  [/unauthorized|authentication|invalid_?(api_?)?(key|token)|account_deactivated/, 401],
  [/rate_?limit|too_?many|busy|queue|concurren|no_?available/, 429],
  [/invalid|param|prompt|sensitive|moderation|bad_?request|not_?(exist|found)/, 400],
]

/** Reads the response to a submission: `{code, message, data}` with the task id as `data`. */
function readSubmission(body: JsonObject): TaskSubmission {
  requireSuccess(body)
  const upstreamId = readTaskId(body.data)
  if (upstreamId === undefined) throw FAILURES.unreadable()
  return { upstreamId, code: 1, body }
}

/** The valid tasks of a poll response. `null` means no tasks. */
function readTasks(response: unknown): TaskReport[] {
  const body = asJsonObject(response)
  if (!body) throw FAILURES.unreadable()
  requireSuccess(body)
  if (body.data === null) return []
  if (!Array.isArray(body.data)) throw FAILURES.unreadable()
  return body.data.map(readTask).filter((report) => report !== undefined)
}

function requireSuccess(body: JsonObject): void {
  const { code } = body
  if (code === 'success') return
  if (typeof code !== 'string' && typeof code !== 'number') throw FAILURES.unreadable()
  const text = String(code).slice(0, 100)
  const message = readReason(body.message) ?? `The upstream rejected the task with code ${text}.`
  throw new UpstreamFailure({
    kind: 'status',
    status: statusOf(text),
    error: { message, type: 'upstream_error', param: '', code: text },
  })
}

function statusOf(code: string): number {
  if (/^[45]\d\d$/.test(code)) return Number(code)
  return STATUS_OF_CODE.find(([pattern]) => pattern.test(code.toLowerCase()))?.[1] ?? 500
}

function readTask(value: unknown): TaskReport | undefined {
  const task = asJsonObject(value)
  const upstreamId = readTaskId(task?.task_id)
  if (!task || upstreamId === undefined) return undefined
  const songs = asList(task.data).map((song) => readUrl(asJsonObject(song)?.audio_url))
  return {
    upstreamId,
    status: readStatus(STATUSES, task.status),
    progress: readPercent(task.progress),
    failReason: readReason(task.fail_reason),
    resultUrl: songs.find((address) => address !== undefined),
    startedAt: readTime(task.start_time),
    finishedAt: readTime(task.finish_time),
    data: task.data,
  }
}
