import { api, Refusal } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import type { MailQueue } from '../mail/mail-queue.ts'

const notYet = (): never => {
  throw new Refusal('service_unavailable')
}

/** Second factors, passkeys and proof of the owner. */
export function registerSecurity(serve: Serve, _deps: Deps & { mails: MailQueue }): void {
  serve(api.getSecurity, notYet)
  serve(api.askForProof, notYet)
  serve(api.proveOwner, notYet)
  serve(api.beginTotp, notYet)
  serve(api.enableTotp, notYet)
  serve(api.disableTotp, notYet)
  serve(api.renewRecoveryCodes, notYet)
  serve(api.askForNewPasskey, notYet)
  serve(api.addPasskey, notYet)
  serve(api.renamePasskey, notYet)
  serve(api.removePasskey, notYet)
  serve(api.askForPasskey, notYet)
  serve(api.loginWithPasskey, notYet)
  serve(api.finishLogin, notYet)
}
