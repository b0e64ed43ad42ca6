import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { api, ApiError, logEvent, type Log } from '@tidegate/contract'
import { channelSweeps, type Sweep, type SweepProgress } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { unixSeconds } from '../channel.ts'

export type SweepKind = 'test' | 'balance'

export interface SweepItem {
  id: number
  name: string
}

/** A pass over all channels. */
export interface SweepPlan<Item extends SweepItem = SweepItem> {
  kind: SweepKind
  items(): Promise<Item[]>
  /** False when the channel failed. */
  visit(item: Item, signal: AbortSignal): Promise<boolean>
  /** Called at the end, also when the sweep was aborted. */
  finish?(progress: SweepProgress & { cancelled: boolean }): Promise<void>
}

export interface Sweeps {
  /** Starts in the background. Throws while a sweep of this kind runs on any node. */
  start<Item extends SweepItem>(plan: SweepPlan<Item>): Promise<void>
  /** Aborts the sweeps of this process. */
  stop(): Promise<void>
}

/** Channels checked in parallel: fast enough, without loading providers. */
const CONCURRENCY = 4
const RENEW_MS = 500
/** How long to wait for requests that ignore the abort signal. */
const STOP_MS = 5_000

/** Runs sweeps in this process and shares their progress with other nodes through the database. */
export function createSweeps({ db, log }: Pick<Deps, 'db' | 'log'>): Sweeps {
  const running = new Set<{ kind: SweepKind; stop: AbortController; ended: Promise<unknown> }>()

  return {
    async start(plan) {
      const holder = randomUUID()
      if (!(await channelSweeps.start(db, plan.kind, holder))) throw new ApiError('sweep_running')
      const stop = new AbortController()
      const ended = run({ db, log, holder, stop }, plan)
        .catch((error: unknown) => logEvent(log, 'channel.sweep_failed', { err: error, sweep: plan.kind }))
        .finally(() => running.delete(sweep))
      const sweep = { kind: plan.kind, stop, ended }
      running.add(sweep)
    },
    async stop() {
      const all = [...running]
      for (const { kind, stop } of all) {
        await channelSweeps.cancel(db, kind)
        stop.abort()
      }
      const ended = Promise.all(all.map((sweep) => sweep.ended))
      await Promise.race([ended, setTimeout(STOP_MS, undefined, { ref: false })])
    },
  }
}

/** Runs a sweep to its end or until the process stops. False while one of this kind runs on any node. */
export async function runSweep<Item extends SweepItem>(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  plan: SweepPlan<Item>,
  stopping: AbortSignal,
): Promise<boolean> {
  const holder = randomUUID()
  if (!(await channelSweeps.start(db, plan.kind, holder))) return false
  const stop = new AbortController()
  const abort = () => stop.abort()
  if (stopping.aborted) abort()
  stopping.addEventListener('abort', abort, { once: true })
  try {
    await run({ db, log, holder, stop }, plan)
  } finally {
    stopping.removeEventListener('abort', abort)
  }
  return true
}

interface RunContext extends Pick<Deps, 'db'> {
  log: Log
  holder: string
  stop: AbortController
}

async function run<Item extends SweepItem>(
  { db, log, holder, stop }: RunContext,
  plan: SweepPlan<Item>,
): Promise<void> {
  const progress: SweepProgress = { total: 0, done: 0, failed: 0, current: '' }
  const renew = async () => {
    try {
      if (!(await channelSweeps.renew(db, plan.kind, holder, progress)).go) stop.abort()
    } catch (error) {
      logEvent(log, 'channel.sweep_progress_failed', { err: error, sweep: plan.kind })
    }
  }
  const heartbeat = setInterval(() => void renew(), RENEW_MS)
  try {
    const items = await plan.items()
    progress.total = items.length
    await renew()
    await visitAll(items, progress, plan, stop.signal, log)
  } finally {
    clearInterval(heartbeat)
    await channelSweeps.finish(db, plan.kind, holder, progress)
  }
  await plan.finish?.({ ...progress, cancelled: stop.signal.aborted })
}

/** A failing channel counts as failed and does not stop the others. */
async function visitAll<Item extends SweepItem>(
  items: readonly Item[],
  progress: SweepProgress,
  plan: SweepPlan<Item>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const waiting = items.values()
  const work = async () => {
    for (const item of waiting) {
      if (signal.aborted) return
      progress.current = item.name
      const passed = await plan.visit(item, signal).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status >= 500)
          logEvent(log, 'channel.check_failed', { err: error, channelId: item.id })
        return false
      })
      if (signal.aborted) return
      progress.done += 1
      if (!passed) progress.failed += 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

export async function sweepProgress({ db }: Pick<Deps, 'db'>, kind: SweepKind): Promise<api.SweepProgress> {
  return progressView(await channelSweeps.find(db, kind))
}

export async function cancelSweep({ db }: Pick<Deps, 'db'>, kind: SweepKind): Promise<void> {
  if (!(await channelSweeps.cancel(db, kind))) throw new ApiError('sweep_not_running')
}

function progressView(sweep: Sweep | undefined): api.SweepProgress {
  if (!sweep) {
    const nothing = { done: 0, total: 0, current: '', failed: 0, started_time: 0, finished_time: 0 }
    return { running: false, cancelled: false, ...nothing }
  }
  const { running, done, total, failed, cancelled, current } = sweep
  return {
    running,
    done,
    total,
    current: running ? current : '',
    failed,
    cancelled,
    started_time: unixSeconds(sweep.started_at),
    finished_time: unixSeconds(sweep.finished_at),
  }
}
