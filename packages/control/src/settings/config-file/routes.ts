import { api } from '@tidegate/contract'
import { auditEvents } from '@tidegate/storage'
import { requireProof } from '../../auth/reauthenticate.ts'
import type { Deps } from '../../deps.ts'
import type { Serve } from '../../serve.ts'
import type { MailQueue } from '../../messaging/mail/mail-queue.ts'
import { reportGuardedChanges } from '../report-guarded-changes.ts'
import { applyConfig } from './apply-config.ts'
import { holdsSecrets, planConfig } from './plan-config.ts'
import { exportConfig } from './export-config.ts'

export function registerConfigFile(serve: Serve, deps: Deps & { mails: MailQueue }): void {
  serve(api.exportConfig, async ({ actor, body: { passphrase }, origin }) => {
    if (passphrase !== undefined) {
      await requireProof(deps, actor, 'orToken')
      await auditEvents.record(deps.db, { actorId: actor.id, action: 'config.export', ...origin })
    }
    return { yaml: await exportConfig(deps, passphrase) }
  })
  serve(api.planConfig, async ({ actor, body }) => {
    // A plan says whether a secret is the one that is stored.
    if (holdsSecrets(body.yaml)) await requireProof(deps, actor, 'orToken')
    return planConfig(deps, body)
  })
  serve(api.applyConfig, ({ actor, body: { expect_version, ...file }, origin }) =>
    reportGuardedChanges(deps, { actor, origin }, () =>
      applyConfig(deps, { id: actor.id, origin }, { ...file, expectVersion: expect_version }),
    ),
  )
}
