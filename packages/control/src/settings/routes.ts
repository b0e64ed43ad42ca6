import { api, preferredLanguage, publicOptionRows } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import type { MailQueue } from '../mail/mail-queue.ts'
import { describeOptions } from './describe-options.ts'
import { discoverOidc } from './discover-oidc.ts'
import { listHistory } from './history.ts'
import { restoreOption } from './history-restore.ts'
import { reportGuardedChanges } from './report-guarded-changes.ts'
import { sendTestMail } from './send-test-mail.ts'
import { updateOption } from './update-option.ts'

export function registerSettings(serve: Serve, deps: Deps, mails: MailQueue): void {
  const reporter = { db: deps.db, catalog: deps.catalog, mails }
  serve(api.listOptions, () => publicOptionRows(deps.catalog().settings))
  serve(api.getOptionSchema, () => describeOptions(deps.catalog().settings))
  serve(api.updateOption, ({ actor, body, origin }) =>
    reportGuardedChanges(reporter, { actor, origin }, () => updateOption(deps, actor, body, origin)),
  )
  serve(api.listOptionHistory, ({ query }) => listHistory(deps, query))
  serve(api.restoreOption, ({ actor, params, origin }) =>
    reportGuardedChanges(reporter, { actor, origin }, () => restoreOption(deps, actor, params.id!, origin)),
  )
  serve(api.discoverOidc, ({ body }) => discoverOidc(deps, body.well_known))
  serve(api.sendTestMail, ({ actor, body, request }) =>
    sendTestMail(deps, actor, body.to, preferredLanguage(request.headers['accept-language'])),
  )
}
