import type { ForwardStatus } from '@tidegate/control'
import type { Node } from '../process/node.ts'

/** Another worker may have taken the job over, and knows better then. */
const STALE_MS = 60_000

/** What the metrics say about forwarded audit events, from the runs of this process. */
export interface AuditForwarding {
  report(status: ForwardStatus): void
  /** By destination. */
  lagSeconds(): Record<string, number>
}

export function watchAuditForwarding({ observers }: Pick<Node, 'observers'>, now = Date.now): AuditForwarding {
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
