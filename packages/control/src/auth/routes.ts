import { api } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import { requestLanguage } from '../http/request-language.ts'
import type { Serve } from '../serve.ts'
import type { MailQueue } from '../messaging/mail/mail-queue.ts'
import { finishLogin } from './login/second-factor.ts'
import { askForLogin, loginWithPasskey } from './passkeys/passkey-login.ts'
import { addPasskey, askForNewPasskey, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { askForProof, prove } from './prove.ts'
import { readSecurity } from './security-overview.ts'
import { beginTotp, disableTotp, enableTotp, renewRecoveryCodes } from './two-factor/totp.ts'

/** Second factors, passkeys and proof of the owner. */
export function registerSecurity(serve: Serve, deps: Deps & { mails: MailQueue }): void {
  serve(api.getSecurity, ({ actor }) => readSecurity(deps, actor))
  serve(api.askForProof, ({ actor }) => askForProof(deps, actor))
  serve(api.proveOwner, ({ actor, body, origin }) => prove(deps, actor, body, origin))

  serve(api.beginTotp, ({ actor }) => beginTotp(deps, actor))
  serve(api.enableTotp, ({ actor, body, origin }) => enableTotp(deps, actor, body.code, origin))
  serve(api.disableTotp, ({ actor, origin, request }) =>
    disableTotp(deps, actor, origin, requestLanguage(deps, request)),
  )
  serve(api.renewRecoveryCodes, ({ actor, origin }) => renewRecoveryCodes(deps, actor, origin))

  serve(api.askForNewPasskey, ({ actor }) => askForNewPasskey(deps, actor))
  serve(api.addPasskey, ({ actor, body, origin, request }) =>
    addPasskey(deps, actor, body, origin, requestLanguage(deps, request)),
  )
  serve(api.renamePasskey, ({ actor, params, body }) => renamePasskey(deps, actor, params.id!, body))
  serve(api.removePasskey, ({ actor, params, origin }) => removePasskey(deps, actor, params.id!, origin))

  serve(api.askForPasskey, ({ body, origin }) => askForLogin(deps, body.login_ticket, origin))
  serve(api.loginWithPasskey, ({ body, origin, reply }) => loginWithPasskey(deps, body, { origin, reply }))
  serve(api.finishLogin, ({ body, origin, request, reply }) =>
    finishLogin(deps, body, { origin, reply }, requestLanguage(deps, request)),
  )
}
