import { api, preferredLanguage, publicOptionRows } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import { describeOptions } from './describe-options.ts'
import { discoverOidc } from './discover-oidc.ts'
import { listHistory } from './history.ts'
import { restoreOption } from './history-restore.ts'
import { sendTestMail } from './send-test-mail.ts'
import { updateOption } from './update-option.ts'

export function registerSettings(serve: Serve, deps: Deps): void {
  serve(api.listOptions, () => publicOptionRows(deps.catalog().settings))
  serve(api.getOptionSchema, () => describeOptions(deps.catalog().settings))
  serve(api.updateOption, ({ actor, body, origin }) => updateOption(deps, actor, body, origin))
  serve(api.listOptionHistory, ({ query }) => listHistory(deps, query))
  serve(api.restoreOption, ({ actor, params, origin }) => restoreOption(deps, actor, params.id!, origin))
  serve(api.discoverOidc, ({ body }) => discoverOidc(deps, body.well_known))
  serve(api.sendTestMail, ({ actor, body, request }) =>
    sendTestMail(deps, actor, body.to, preferredLanguage(request.headers['accept-language'])),
  )
}
