import { asJsonObject, asList, type JsonObject } from '@tidegate/dialects'
import { classifyOpenai } from '../openai-compatible/classify.ts'
import { bearer } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'
import type { Target } from '../target.ts'
import { readAddress, readPercent, readReason, readStatus, readTaskId, readTime } from '../task-fields.ts'
import type { ReportedStatus, TakenOrder, TaskReport } from '../task.ts'
import { FAILURES, UpstreamFailure } from '../upstream/failure.ts'

/** A proxy that makes songs and their words with Suno's accounts. */
export const suno = defineProvider({
  id: 'suno',
  baseUrl: '',
  models: ['suno_music', 'suno_lyrics'],
  authorize: bearer,
  tasks: {
    music: {
      orderUrl: (target, { action }) => at(target, `/suno/submit/${encodeURIComponent(action)}`),
      readOrder,
      atOnce: 50,
      inquire: (target, vendorIds) => ({
        url: at(target, '/suno/fetch'),
        method: 'POST',
        body: JSON.stringify({ ids: vendorIds }),
      }),
      readInquiry: readTasks,
    },
  },
  classify: classifyOpenai,
})

function at({ baseUrl }: Target, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path
}

const STATUSES: ReadonlyMap<string, ReportedStatus> = new Map([
  ['NOT_START', 'NOT_START'],
  ['SUBMITTED', 'SUBMITTED'],
  ['QUEUED', 'QUEUED'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['SUCCESS', 'SUCCESS'],
  ['FAILURE', 'FAILURE'],
])

/** What the codes of a refusal mean. Its message is not looked at: it may quote what a client wrote. */
const STATUSES_OF_CODES: readonly [code: RegExp, status: number][] = [
  [/quota|balance|credit|insufficient|billing/, 402],
  [/unauthorized|authentication|invalid_?(api_?)?(key|token)|account_deactivated/, 401],
  [/rate_?limit|too_?many|busy|queue|concurren|no_?available/, 429],
  [/invalid|param|prompt|sensitive|moderation|bad_?request|not_?(exist|found)/, 400],
]

/** What came back to an order: `{code, message, data}` with the name of the task as its data. */
function readOrder(answer: JsonObject): TakenOrder {
  checkSuccess(answer)
  const vendorId = readTaskId(answer.data)
  if (vendorId === undefined) throw FAILURES.unreadable()
  return { vendorId, code: 1, answer }
}

/** Tasks that were asked after: those that make sense. None is told of as `null` too. */
function readTasks(answer: unknown): TaskReport[] {
  const tree = asJsonObject(answer)
  if (!tree) throw FAILURES.unreadable()
  checkSuccess(tree)
  if (tree.data === null) return []
  if (!Array.isArray(tree.data)) throw FAILURES.unreadable()
  return tree.data.map(readTask).filter((report) => report !== undefined)
}

function checkSuccess(answer: JsonObject): void {
  const { code } = answer
  if (code === 'success') return
  if (typeof code !== 'string' && typeof code !== 'number') throw FAILURES.unreadable()
  const word = String(code).slice(0, 100)
  const message = readReason(answer.message) ?? `The upstream refused with code ${word}.`
  throw new UpstreamFailure({
    kind: 'status',
    status: statusOf(word),
    error: { message, type: 'upstream_error', param: '', code: word },
  })
}

function statusOf(code: string): number {
  if (/^[45]\d\d$/.test(code)) return Number(code)
  return STATUSES_OF_CODES.find(([pattern]) => pattern.test(code.toLowerCase()))?.[1] ?? 500
}

function readTask(value: unknown): TaskReport | undefined {
  const task = asJsonObject(value)
  const vendorId = readTaskId(task?.task_id)
  if (!task || vendorId === undefined) return undefined
  const songs = asList(task.data).map((song) => readAddress(asJsonObject(song)?.audio_url))
  return {
    vendorId,
    status: readStatus(STATUSES, task.status),
    progress: readPercent(task.progress),
    failReason: readReason(task.fail_reason),
    resultUrl: songs.find((address) => address !== undefined),
    startedAt: readTime(task.start_time),
    finishedAt: readTime(task.finish_time),
    data: task.data,
  }
}
