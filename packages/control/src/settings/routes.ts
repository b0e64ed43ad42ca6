import { api, ApiError, publicOptionRows } from '@tidegate/contract'
import { auditEvents, ping } from '@tidegate/storage'
import { requireReauth } from '../auth/reauthenticate.ts'
import type { Deps } from '../deps.ts'
import { applyEtag, ifMatchOf } from '../http/etag.ts'
import { requestLanguage } from '../http/read-request.ts'
import type { DirectMails } from '../messaging/mail/direct-mails.ts'
import type { Serve } from '../serve.ts'
import { applyConfig } from './config-file/apply-config.ts'
import { exportConfig } from './config-file/export-config.ts'
import { holdsSecrets, planConfig } from './config-file/plan-config.ts'
import { discoverOidc } from './discover-oidc.ts'
import { listHistory, restoreOption } from './history.ts'
import { describeOptions, optionAccess, optionSetTag, optionTag } from './options.ts'
import { reportGuardedChanges } from './report-guarded-changes.ts'
import { sendTestMail } from './send-test-mail.ts'
import { siteStatus } from './site-status.ts'
import { updateOption, updateOptions } from './update-option.ts'

/** The public status of the site. */
export function registerStatus(serve: Serve, deps: Pick<Deps, 'db' | 'catalog' | 'site'>): void {
  serve(api.getStatus, async ({ request, reply }) => {
    const status = await siteStatus(deps)
    applyEtag(request, reply, status)
    return status
  })
  serve(api.testStatus, () =>
    ping(deps.db).catch((cause) => Promise.reject(new ApiError('service_unavailable', {}, { cause }))),
  )
}

export function registerSettings(serve: Serve, deps: Deps, mails: DirectMails): void {
  const reporter = { db: deps.db, catalog: deps.catalog, mails }
  serve(api.listOptions, ({ actor, reply }) => {
    const { settings } = deps.catalog()
    const mayRead = optionAccess(actor)
    void reply.header('ETag', optionSetTag(deps.vault, settings))
    return publicOptionRows(settings)
      .filter(({ key }) => mayRead(key))
      .map((row) => ({ ...row, etag: optionTag(deps.vault, settings, row.key) }))
  })
  serve(api.getOptionSchema, ({ actor }) => {
    const mayRead = optionAccess(actor)
    return describeOptions(deps.catalog().settings).filter(({ key }) => mayRead(key))
  })
  serve(api.updateOption, async ({ actor, body, origin, request, reply }) => {
    const conditions = { ...origin, ifMatch: ifMatchOf(request) }
    const change = () => updateOption(deps, actor, body, conditions)
    void reply.header('ETag', await reportGuardedChanges(reporter, { actor, origin }, change))
  })
  serve(api.updateOptions, async ({ actor, body, origin }) => {
    const updates = body.options.map(({ etag, ...update }) => ({ ...update, ...(etag && { ifMatch: [etag] }) }))
    const etags = await reportGuardedChanges(reporter, { actor, origin }, () =>
      updateOptions(deps, actor, updates, origin),
    )
    return updates.map(({ key }, index) => ({ key, etag: etags[index]! }))
  })
  serve(api.listOptionHistory, ({ query }) => listHistory(deps, query))
  serve(api.restoreOption, ({ actor, params, origin }) =>
    reportGuardedChanges(reporter, { actor, origin }, () => restoreOption(deps, actor, params.id!, origin)),
  )
  serve(api.discoverOidc, ({ body }) => discoverOidc(deps, body.well_known))
  serve(api.sendTestMail, ({ actor, body, request }) =>
    sendTestMail(deps, actor, body.to, requestLanguage(deps, request)),
  )
}

export function registerConfigFile(serve: Serve, deps: Deps & { mails: DirectMails }): void {
  serve(api.exportConfig, async ({ actor, body: { passphrase }, origin }) => {
    if (passphrase !== undefined) {
      await requireReauth(deps, actor, 'orToken')
      await auditEvents.record(deps.db, { actorId: actor.id, action: 'config.export', ...origin })
    }
    return { yaml: await exportConfig(deps, passphrase) }
  })
  serve(api.planConfig, async ({ actor, body }) => {
    // A plan reveals whether a secret equals the stored one.
    if (holdsSecrets(body.yaml)) await requireReauth(deps, actor, 'orToken')
    return planConfig(deps, body)
  })
  serve(api.applyConfig, ({ actor, body: { expect_version, ...file }, origin }) =>
    reportGuardedChanges(deps, { actor, origin }, () =>
      applyConfig(deps, { id: actor.id, origin }, { ...file, expectVersion: expect_version }),
    ),
  )
}
