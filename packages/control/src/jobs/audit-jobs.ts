import { logEvent } from '@tidegate/contract'
import { formatAuditDigest } from '../audit/chain.ts'
import { forwardEvents, type ForwardDeps } from '../audit/forward-events.ts'
import { sealEvents } from '../audit/seal-events.ts'
import type { Deps } from '../deps.ts'
import type { Job } from './run-jobs.ts'

type AuditJobDeps = ForwardDeps & Pick<Deps, 'vault'>

/** Seals new audit events and forwards sealed ones. */
export function auditJobs(deps: AuditJobDeps): Job[] {
  const { db, vault, log, now } = deps
  return [
    {
      name: 'seal-audit-events',
      everySeconds: 2,
      async run(stopping) {
        const { digests } = await sealEvents(db, { vault, now: now(), stopping })
        for (const digest of digests) {
          logEvent(log, 'audit.digest', { digest: formatAuditDigest(digest) })
        }
      },
    },
    { name: 'forward-audit-events', everySeconds: 5, run: (stopping) => forwardEvents(deps, stopping) },
  ]
}
