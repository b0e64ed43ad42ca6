import { exportDeliveries, type ExportTotals } from '@tidegate/storage'
import { createPlanner } from '../exports/plan-deliveries.ts'
import { createExportSender, type ExportDeps } from '../exports/send-deliveries.ts'
import type { Job } from './run-jobs.ts'

const HOUR = 3600
const DAY_MS = 86_400_000
const DELIVERY_DAYS = 30
/** A run of the planner ends before the lease of the job does. */
const PLAN_MS = 5_000
/** How long a run of the sender waits before it looks for other due deliveries, while some are slow. */
const LOOK_MS = 1_000

interface ExportJobDeps extends ExportDeps {
  /** For metrics. */
  reportTotals?(totals: ExportTotals[]): void
}

/** Queues deliveries for new log rows, sends them, and removes old ones. */
export function exportJobs(deps: ExportJobDeps): Job[] {
  const { db, now } = deps
  const plan = createPlanner(deps)
  const sender = createExportSender(deps)
  return [
    {
      name: 'plan-exports',
      everySeconds: 2,
      async run(stopping) {
        await plan(stopping, performance.now() + PLAN_MS)
      },
    },
    {
      name: 'send-exports',
      everySeconds: 2,
      async run(stopping) {
        // Slow deliveries go on after the run, so that they do not delay the next one.
        while (!stopping.aborted && (await sender.startDue()) > 0) await firstOf(sender.next(), LOOK_MS)
      },
      idle: sender.idle,
    },
    {
      name: 'measure-exports',
      everySeconds: 20,
      run: async () => deps.reportTotals?.(await exportDeliveries.totals(db)),
    },
    {
      name: 'purge-exports',
      everySeconds: HOUR,
      async run() {
        await exportDeliveries.removeFinished(db, new Date(now().getTime() - DELIVERY_DAYS * DAY_MS))
      },
    },
  ]
}

async function firstOf(event: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)))
  await Promise.race([event, elapsed])
  clearTimeout(timer)
}
