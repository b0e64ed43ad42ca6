import { logEvent } from '@tidegate/contract'
import { refundOwedTasks, reportTask } from '@tidegate/ledger'
import {
  checkStatus,
  providerOf,
  readJsonText,
  targetOf,
  UpstreamFailure,
  upstreamRequest,
  type TaskKind,
  type TaskReport,
} from '@tidegate/providers'
import { channelKeyHash, taskPolls, type Catalog, type CatalogChannel, type DueTask } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

export type PollDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'log' | 'now' | 'upstream'>

/** Tasks per round, and providers in parallel. */
const BATCH_SIZE = 1000
const PROVIDER_CONCURRENCY = 8
const RESPONSE_TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

export interface PollResult {
  polled: number
  ended: number
  overdue: number
  paidBack: number
}

/** Polls due tasks, fails overdue ones and refunds owed credit. Can be interrupted anywhere and run concurrently. */
export async function pollTasks(deps: PollDeps, stopping: AbortSignal): Promise<PollResult> {
  const { db, now } = deps
  const due = await taskPolls.claimDue(db, { now: now(), limit: BATCH_SIZE })
  const catalog = deps.catalog()
  const requests = pollRequests(deps, catalog, due)
  const result: PollResult = { polled: due.length, ended: 0, overdue: 0, paidBack: 0 }
  await forEachConcurrently(requests, PROVIDER_CONCURRENCY, async (request) => {
    if (stopping.aborted) return
    const ended = await pollProvider(deps, request, stopping)
    result.ended += ended
  })
  if (stopping.aborted) return result
  result.overdue = await failOverdue(deps)
  result.paidBack = await refundOwedTasks(db, { limit: BATCH_SIZE, now: now() })
  return result
}

interface PollRequest {
  readonly kind: TaskKind
  /** Undefined when it was deleted. */
  readonly channel: CatalogChannel | undefined
  readonly key: string
  readonly tasks: readonly DueTask[]
}

/** Groups tasks that one provider request can poll. */
function pollRequests({ vault }: PollDeps, { channels }: Catalog, due: readonly DueTask[]): PollRequest[] {
  const groups = Map.groupBy(due, ({ kind, channel_id, key_hash }) => JSON.stringify([kind, channel_id, key_hash]))
  return [...groups.values()].flatMap((tasks) => {
    const { kind, channel_id, key_hash } = tasks[0]!
    const channel = channels.get(channel_id)
    const key =
      channel?.keys.find((candidate) => channelKeyHash(vault, candidate) === key_hash) ?? channel?.keys[0] ?? ''
    const batchSize = (channel && providerOf(channel.type).tasks?.[kind as TaskKind]?.maxPerPoll) ?? tasks.length
    return chunks(tasks, batchSize).map((chunk) => ({ kind: kind as TaskKind, channel, key, tasks: chunk }))
  })
}

/** Returns how many tasks ended. */
async function pollProvider(deps: PollDeps, request: PollRequest, stopping: AbortSignal): Promise<number> {
  const { channel, kind, tasks } = request
  const provider = channel && providerOf(channel.type).tasks?.[kind]
  if (!provider) return failAll(deps, tasks, 'the channel of this task no longer exists')
  let reports: readonly TaskReport[]
  try {
    reports = await fetchReports(deps, { ...request, channel }, stopping)
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    logEvent(deps.log, 'task.poll_failed', { err: error, channelId: channel.id, tasks: tasks.length })
    return 0
  }
  const byId = new Map(reports.map((report) => [report.upstreamId, report]))
  let ended = 0
  for (const task of tasks) {
    const report = byId.get(task.vendor_id)
    if (report && (await applyReport(deps, task, report))) ended += 1
  }
  return ended
}

async function fetchReports(
  { upstream }: PollDeps,
  { kind, channel, key, tasks }: PollRequest & { channel: CatalogChannel },
  stopping: AbortSignal,
): Promise<TaskReport[]> {
  if (!upstream) throw new Error('this process has no upstream client')
  const taskApi = providerOf(channel.type).tasks![kind]!
  const target = targetOf(channel, { key, model: '' })
  const inquiry = taskApi.pollRequest(target, [...new Set(tasks.map(({ vendor_id }) => vendor_id))])
  const headers: Record<string, string> = inquiry.body === undefined ? {} : { 'content-type': 'application/json' }
  const request = await upstreamRequest({}, channel, { ...inquiry, target, headers })
  const response = await upstream.open({
    ...request,
    signal: AbortSignal.any([stopping, AbortSignal.timeout(2 * RESPONSE_TIMEOUT_MS)]),
    deadlines: { firstByteMs: RESPONSE_TIMEOUT_MS, idleMs: RESPONSE_TIMEOUT_MS },
  })
  await checkStatus(response)
  return taskApi.readPoll(parse(await readJsonText(response, MAX_RESPONSE_BYTES)))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether the task ended. */
async function applyReport({ db, log, now }: PollDeps, task: DueTask, report: TaskReport): Promise<boolean> {
  try {
    const change = await reportTask(db, { id: task.id, userId: task.user_id }, report, now())
    return change === 'succeeded' || change === 'failed'
  } catch (error) {
    // One failing task must not block the others.
    logEvent(log, 'task.update_failed', { err: error, taskId: task.id })
    return false
  }
}

async function failAll(deps: PollDeps, tasks: readonly DueTask[], reason: string): Promise<number> {
  let failed = 0
  for (const task of tasks) {
    const report = { upstreamId: task.vendor_id, status: 'FAILURE', failReason: reason, data: undefined } as const
    if (await applyReport(deps, task, report)) failed += 1
  }
  return failed
}

async function failOverdue(deps: PollDeps): Promise<number> {
  const { db, now } = deps
  let failed = 0
  for (const { id, user_id: userId, vendor_id } of await taskPolls.findOverdue(db, { now: now(), limit: BATCH_SIZE })) {
    const failReason = vendor_id === '' ? 'no provider accepted this task' : 'the task was not finished in time'
    if ((await reportTask(db, { id, userId }, { status: 'FAILURE', failReason }, now())) === 'failed') failed += 1
  }
  return failed
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

async function forEachConcurrently<Item>(items: readonly Item[], limit: number, work: (item: Item) => Promise<void>) {
  const left = items.values()
  await Promise.all(
    Array.from({ length: Math.min(limit, items.length) }, async () => {
      for (const item of left) await work(item)
    }),
  )
}
