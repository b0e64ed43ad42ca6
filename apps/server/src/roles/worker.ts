import {
  auditJobs,
  channelJobs,
  type Deps,
  exportJobs,
  type ForwardStatus,
  logJobs,
  maintenanceJobs,
  messageJobs,
  notificationJobs,
  runJobs,
  taskJobs,
  type RunningJobs,
} from '@tidegate/control'
import { postgresLogStore } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { ServerNode } from '../process/node.ts'

export function startJobs(
  node: ServerNode,
  pages: Deps,
  { environment, forwarding }: { environment: Environment; forwarding: AuditForwarding },
): RunningJobs {
  const { db } = node.storage.database
  // Without deadlines: no request waits for a job.
  const logs = postgresLogStore(db)
  const control = { ...pages, db, logs }
  const settings = () => node.feed.current().settings
  return runJobs({ db, holder: node.id, log: node.log }, [
    ...maintenanceJobs({ db, vault: node.storage.vault, log: node.log, now: node.clock.now, settings }),
    ...logJobs({ db, logs, log: node.log, now: node.clock.now, settings }),
    ...channelJobs(control, {
      testMinutes: environment.CHANNEL_TEST_FREQUENCY,
      balanceMinutes: environment.CHANNEL_UPDATE_FREQUENCY,
    }),
    ...notificationJobs(control),
    ...messageJobs(control),
    ...taskJobs(control),
    ...exportJobs(control),
    ...auditJobs({ ...control, report: forwarding.report }),
  ])
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
