import { releaseJobLease, takeJobLease, type Db, type Log } from '@tidegate/storage'

/** Work that one process of the whole site does at a time. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  /** `stopping` is aborted when the process ends: work that can take long leaves off then. */
  run(stopping: AbortSignal): Promise<void>
}

export interface RunningJobs {
  /** Starts nothing new and waits for what is running. */
  stop(): Promise<void>
}

interface RunnerDeps {
  db: Db
  /** This process, as its leases name it. */
  holder: string
  log: Log
}

/** Runs each job on its interval under a lease, so that any number of workers may run and a dead one is replaced. */
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
      await releaseLease(deps, job)
    },
  }
}

/** The lease is kept for nearly the whole interval, so that a job runs once in it however many workers there are. */
async function runOnce({ db, holder, log }: RunnerDeps, job: Job, stopping: AbortSignal): Promise<void> {
  const started = performance.now()
  try {
    if (!(await takeJobLease(db, job.name, holder, Math.max(job.everySeconds * 0.9, MINIMUM_LEASE_SECONDS)))) return
    await job.run(stopping)
  } catch (error) {
    log.error({ err: error, job: job.name, milliseconds: Math.round(performance.now() - started) }, 'a job failed')
  }
}

/** A worker that leaves lets another take over at once. */
async function releaseLease({ db, holder, log }: RunnerDeps, job: Job): Promise<void> {
  await releaseJobLease(db, job.name, holder).catch((error: unknown) => {
    log.warn({ err: error, job: job.name }, 'a job lease could not be given back')
  })
}

const MINIMUM_LEASE_SECONDS = 10
