import {
  auditJobs,
  channelJobs,
  type Deps,
  type ExportDeps,
  exportJobs,
  type ForwardStatus,
  logJobs,
  logOutboxJobs,
  maintenanceJobs,
  messageJobs,
  notificationJobs,
  type OutboxStatus,
  runJobs,
  taskJobs,
  unsentRowsJobs,
  type Job,
  type RunningJobs,
} from '@tidegate/control'
import type { ExportTotals } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { ServerNode } from '../process/node.ts'

export function startJobs(
  node: ServerNode,
  pages: Deps,
  { environment, metrics }: { environment: Environment; metrics: JobMetrics },
): RunningJobs {
  const { db } = node.storage.database
  // Without deadlines: no request waits for a job.
  const logs = node.storage.logs.at(db, JOB_QUERY_MS)
  const control = { ...pages, db, logs }
  const settings = () => node.feed.current().settings
  return runJobs({ db, holder: node.id, log: node.log }, [
    ...maintenanceJobs({ db, vault: node.storage.vault, log: node.log, now: node.clock.now, settings }),
    ...logJobs({ db, logs, log: node.log, now: node.clock.now, settings }),
    ...outboxJobs(node, environment, metrics),
    ...channelJobs(control, {
      testMinutes: environment.CHANNEL_TEST_FREQUENCY,
      balanceMinutes: environment.CHANNEL_UPDATE_FREQUENCY,
    }),
    ...notificationJobs(control),
    ...messageJobs(control),
    ...taskJobs(control),
    ...exportJobs({ ...control, report: metrics.exports.report, reportTotals: metrics.exports.reportTotals }),
    ...auditJobs({ ...control, report: metrics.forwarding.report }),
  ])
}

/** Longer than any report: no request waits for a job. */
const JOB_QUERY_MS = 600_000

function outboxJobs({ storage, log, clock }: ServerNode, environment: Environment, metrics: JobMetrics): Job[] {
  const { outbox, receiver } = storage.logs
  const { db } = storage.database
  if (!outbox || !receiver) return unsentRowsJobs({ db, log, report: metrics.outbox.report })
  const limitBytes = environment.TIDEGATE_LOG_OUTBOX_MB * 1024 ** 2
  return logOutboxJobs({ db, log, now: clock.now, outbox, receiver, limitBytes, report: metrics.outbox.report })
}

/** What jobs of this process report for metrics. */
export interface JobMetrics {
  readonly forwarding: AuditForwarding
  readonly exports: ExportMetrics
  readonly outbox: OutboxMetrics
}

export function watchJobs(node: Pick<ServerNode, 'observers'>): JobMetrics {
  return { forwarding: watchAuditForwarding(node), exports: watchExports(node), outbox: watchOutbox() }
}

/** Deliveries to export destinations, by `site` and `user`. */
export interface ExportMetrics {
  report: NonNullable<ExportDeps['report']>
  reportTotals(totals: readonly ExportTotals[]): void
  lagSeconds(): Record<string, number>
  open(): Record<string, number>
  failed(): Record<string, number>
}

export function watchExports({ observers }: Pick<ServerNode, 'observers'>, now = Date.now): ExportMetrics {
  let last: { totals: readonly ExportTotals[]; at: number } = { totals: [], at: 0 }
  const read = (name: 'lag_seconds' | 'open' | 'failed') => () =>
    now() - last.at < STALE_MS ? Object.fromEntries(last.totals.map((row) => [row.owner, row[name]])) : {}
  return {
    report({ kind, result }) {
      for (const observer of observers) observer({ kind: 'export-attempt', destination: kind, result })
    },
    reportTotals: (totals) => void (last = { totals, at: now() }),
    lagSeconds: read('lag_seconds'),
    open: read('open'),
    failed: read('failed'),
  }
}

/** Log rows that the other log store does not have yet. */
export interface OutboxMetrics {
  report(status: OutboxStatus): void
  /** Empty in a process that does not send them. */
  read(name: 'bytes' | 'rows' | 'ageSeconds' | 'isUp'): number | Record<string, number>
}

export function watchOutbox(now = Date.now): OutboxMetrics {
  let last: { status: OutboxStatus; at: number } | undefined
  return {
    report: (status) => void (last = { status, at: now() }),
    read: (name) => (last && now() - last.at < STALE_MS ? Number(last.status[name]) : {}),
  }
}

/** After this time another worker may have taken over the job, so the value is dropped. */
const STALE_MS = 60_000

/** Lag and failures of audit forwarding in this process. */
export interface AuditForwarding {
  report(status: ForwardStatus): void
  /** By destination. */
  lagSeconds(): Record<string, number>
}

export function watchAuditForwarding({ observers }: Pick<ServerNode, 'observers'>, now = Date.now): AuditForwarding {
  const last = new Map<string, { lagSeconds: number; at: number }>()
  return {
    report({ destination, lagSeconds, failed }) {
      last.set(destination, { lagSeconds, at: now() })
      if (failed) for (const observer of observers) observer({ kind: 'audit-forward-failure', destination })
    },
    lagSeconds: () =>
      Object.fromEntries(
        [...last].filter(([, { at }]) => now() - at < STALE_MS).map(([name, { lagSeconds }]) => [name, lagSeconds]),
      ),
  }
}
