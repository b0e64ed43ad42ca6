import { logEvent } from '@tidegate/contract'
import { modelHours, nodeMetrics, writeBehind, type ModelHour } from '@tidegate/storage'
import { createRequestCounter } from './request-metrics.ts'
import type { ServerNode } from '../process/node.ts'

const REPORT_MS = 2_000
/** An idle process reports less often, to keep the database idle. */
const IDLE_REPORT_MS = 10_000
const HOUR_MS = 3_600_000

/** Reports live metrics of this process, and counts outcomes by model and hour. */
export function writeBehindMetrics({ storage, log, id, observers }: ServerNode, openRequests: () => number) {
  const { db } = storage.database
  const counter = createRequestCounter()
  /** The models of the current hour. */
  const counts = new Map<string, ModelHour>()
  let hour = 0
  const models = writeBehind<ModelHour>({
    name: 'model hours',
    log,
    write: (rows) => modelHours.add(db, rows),
  })
  const flushCounts = () => {
    for (const row of counts.values()) models.add(row)
    counts.clear()
  }
  const countModel = (model: string, outcome: 'served' | 'failed') => {
    const current = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    if (current !== hour) flushCounts()
    hour = current
    let known = counts.get(model)
    if (!known) counts.set(model, (known = { model, hour, served: 0, failed: 0 }))
    known[outcome] += 1
  }
  const observe: Parameters<typeof observers.add>[0] = (event) => {
    counter.observe(event)
    if (event.kind === 'model-request') countModel(event.model, event.outcome)
  }

  let reportedAt = 0
  let failed = false
  let reporting = false
  const report = async () => {
    flushCounts()
    const read = counter.read(openRequests())
    if (reporting) return // one report at a time, while the database is slow
    if (read.calls + read.openRequests === 0 && Date.now() - reportedAt < IDLE_REPORT_MS) return
    reportedAt = Date.now()
    reporting = true
    try {
      await nodeMetrics.report(db, id, new Date(), read)
      failed = false
    } catch (error) {
      if (!failed) logEvent(log, 'storage.write_failed', { err: error })
      failed = true
    } finally {
      reporting = false
    }
  }
  observers.add(observe)
  const timer = setInterval(() => void report(), REPORT_MS)
  timer.unref()

  return {
    queues: () => ({ model_hours: models.metrics() }),
    async stop() {
      clearInterval(timer)
      observers.delete(observe)
      flushCounts()
      await models.stop()
    },
  }
}
