import { logEvent, type Log } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { releaseJobLease, takeJobLease } from '@tidegate/storage/job-leases'

/** Work that one process of the site runs at a time. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  /** `stopping` is aborted when the process ends; long work should stop then. */
  run(stopping: AbortSignal): Promise<void>
  /** Resolves when work that outlasts its runs has ended. Called after the last run. */
  idle?(): Promise<void>
}

export interface RunningJobs {
  /** Starts nothing new and waits for running jobs. */
  stop(): Promise<void>
}

interface RunnerDeps {
  db: Db
  /** Id of this process in leases. */
  holder: string
  log: Log
}

/** Runs each job on its interval under a lease, so any number of workers may run and a dead one is replaced. */
export function runJobs(deps: RunnerDeps, jobs: readonly Job[]): RunningJobs {
  const runners = jobs.map((job) => repeat(deps, job))
  return {
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}

function repeat(deps: RunnerDeps, job: Job): RunningJobs {
  let timer: NodeJS.Timeout | undefined
  const stopping = new AbortController()
  const turn = async () => {
    await runOnce(deps, job, stopping.signal)
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = turn()
    }, job.everySeconds * 1000)
  }
  let running = turn()
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
      await job.idle?.()
      await releaseLease(deps, job)
    },
  }
}

/** The lease lasts almost the whole interval, so a job runs once per interval with any number of workers. */
async function runOnce({ db, holder, log }: RunnerDeps, job: Job, stopping: AbortSignal): Promise<void> {
  const started = performance.now()
  try {
    if (!(await takeJobLease(db, job.name, holder, Math.max(job.everySeconds * 0.9, MINIMUM_LEASE_SECONDS)))) return
    await job.run(stopping)
  } catch (error) {
    logEvent(log, 'job.failed', { err: error, job: job.name, milliseconds: Math.round(performance.now() - started) })
  }
}

/** Lets another worker take over at once. */
async function releaseLease({ db, holder, log }: RunnerDeps, job: Job): Promise<void> {
  await releaseJobLease(db, job.name, holder).catch((error: unknown) => {
    logEvent(log, 'job.lease_release_failed', { err: error, job: job.name })
  })
}

const MINIMUM_LEASE_SECONDS = 10
