import { payOwedTasks, reportTask } from '@tidegate/ledger'
import {
  failureFromAnswer,
  overrideHeaders,
  providerOf,
  readJsonText,
  UpstreamFailure,
  type TaskKind,
  type TaskReport,
} from '@tidegate/providers'
import { channelKeyHash, taskPolls, type Catalog, type CatalogChannel, type DueTask } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

export type PollDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'log' | 'now' | 'upstream'>

/** Tasks asked after in one round, and vendors at the same time. */
const AT_ONCE = 1000
const VENDORS_AT_ONCE = 8
const ANSWER_MS = 15_000
const ANSWER_CAP_BYTES = 16 * 1024 * 1024

export interface PollFigures {
  asked: number
  ended: number
  overdue: number
  paidBack: number
}

/**
 * One round over the tasks that are open: asks vendors how those that are due stand, fails those whose time is over, and
 * pays back what is owed. May be broken off anywhere, and may run beside another.
 */
export async function pollTasks(deps: PollDeps, stopping: AbortSignal): Promise<PollFigures> {
  const { db, now } = deps
  const due = await taskPolls.takeDue(db, { now: now(), limit: AT_ONCE })
  const catalog = deps.catalog()
  const questions = questionsOf(deps, catalog, due)
  const figures: PollFigures = { asked: due.length, ended: 0, overdue: 0, paidBack: 0 }
  await eachAtOnce(questions, VENDORS_AT_ONCE, async (question) => {
    if (stopping.aborted) return
    const ended = await askAfter(deps, question, stopping)
    figures.ended += ended
  })
  if (stopping.aborted) return figures
  figures.overdue = await failOverdue(deps)
  figures.paidBack = await payOwedTasks(db, { limit: AT_ONCE, now: now() })
  return figures
}

interface Question {
  readonly kind: TaskKind
  /** Missing when it is gone. */
  readonly channel: CatalogChannel | undefined
  readonly key: string
  readonly tasks: readonly DueTask[]
}

/** Tasks that one vendor can be asked after in one go. */
function questionsOf({ vault }: PollDeps, { channels }: Catalog, due: readonly DueTask[]): Question[] {
  const groups = Map.groupBy(due, ({ kind, channel_id, key_hash }) => JSON.stringify([kind, channel_id, key_hash]))
  return [...groups.values()].flatMap((tasks) => {
    const { kind, channel_id, key_hash } = tasks[0]!
    const channel = channels.get(channel_id)
    const key =
      channel?.keys.find((candidate) => channelKeyHash(vault, candidate) === key_hash) ?? channel?.keys[0] ?? ''
    const atOnce = (channel && providerOf(channel.type).tasks?.[kind as TaskKind]?.atOnce) ?? tasks.length
    return chunks(tasks, atOnce).map((some) => ({ kind: kind as TaskKind, channel, key, tasks: some }))
  })
}

/** Answers how many of them are over now. */
async function askAfter(deps: PollDeps, question: Question, stopping: AbortSignal): Promise<number> {
  const { channel, kind, tasks } = question
  const vendor = channel && providerOf(channel.type).tasks?.[kind]
  if (!vendor) return failAll(deps, tasks, 'the channel that took this order is gone')
  let reports: readonly TaskReport[]
  try {
    reports = await inquire(deps, { ...question, channel }, stopping)
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    deps.log.warn(
      { err: error, channelId: channel.id, tasks: tasks.length },
      'a vendor did not tell how its tasks stand',
    )
    return 0
  }
  const byId = new Map(reports.map((report) => [report.vendorId, report]))
  let ended = 0
  for (const task of tasks) {
    const report = byId.get(task.vendor_id)
    if (report && (await move(deps, task, report))) ended += 1
  }
  return ended
}

async function inquire(
  { upstream }: PollDeps,
  { kind, channel, key, tasks }: Question & { channel: CatalogChannel },
  stopping: AbortSignal,
): Promise<TaskReport[]> {
  if (!upstream) throw new Error('this process cannot ask vendors')
  const provider = providerOf(channel.type)
  const vendor = provider.tasks![kind]!
  const target = { baseUrl: channel.baseUrl, key, model: '', other: channel.other, setting: channel.setting }
  const inquiry = vendor.inquire(target, [...new Set(tasks.map(({ vendor_id }) => vendor_id))])
  const response = await upstream.open({
    ...inquiry,
    headers: overrideHeaders(
      {
        ...(inquiry.body !== undefined && { 'content-type': 'application/json' }),
        'accept-encoding': 'identity',
        'user-agent': 'tidegate',
        ...provider.authorize(target),
      },
      channel.headerOverride,
      { key },
    ),
    ...(typeof channel.setting.proxy === 'string' && { proxy: channel.setting.proxy.trim() }),
    signal: AbortSignal.any([stopping, AbortSignal.timeout(2 * ANSWER_MS)]),
    deadlines: { firstByteMs: ANSWER_MS, idleMs: ANSWER_MS },
  })
  const text = await readJsonText(response, ANSWER_CAP_BYTES)
  if (response.status < 200 || response.status > 299) throw failureFromAnswer(response.status, text, response.headers)
  return vendor.readInquiry(parse(text))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether it is over now. */
async function move({ db, log, now }: PollDeps, task: DueTask, report: TaskReport): Promise<boolean> {
  try {
    const change = await reportTask(db, { id: task.id, userId: task.user_id }, report, now())
    return change === 'succeeded' || change === 'failed'
  } catch (error) {
    // One task that cannot be moved must not keep the others.
    log.error({ err: error, taskId: task.id }, 'a task could not be moved on')
    return false
  }
}

async function failAll(deps: PollDeps, tasks: readonly DueTask[], reason: string): Promise<number> {
  let failed = 0
  for (const task of tasks) {
    const report = { vendorId: task.vendor_id, status: 'FAILURE', failReason: reason, data: undefined } as const
    if (await move(deps, task, report)) failed += 1
  }
  return failed
}

async function failOverdue(deps: PollDeps): Promise<number> {
  const { db, now } = deps
  let failed = 0
  for (const { id, user_id: userId, vendor_id } of await taskPolls.findOverdue(db, { now: now(), limit: AT_ONCE })) {
    const failReason = vendor_id === '' ? 'no vendor said that it took this order' : 'it was not finished in time'
    if ((await reportTask(db, { id, userId }, { status: 'FAILURE', failReason }, now())) === 'failed') failed += 1
  }
  return failed
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

async function eachAtOnce<Item>(items: readonly Item[], most: number, work: (item: Item) => Promise<void>) {
  const left = items.values()
  await Promise.all(
    Array.from({ length: Math.min(most, items.length) }, async () => {
      for (const item of left) await work(item)
    }),
  )
}
