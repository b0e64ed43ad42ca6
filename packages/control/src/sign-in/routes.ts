import { api, Refusal } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import type { MailQueue } from '../mail/mail-queue.ts'

const notYet = (): never => {
  throw new Refusal('service_unavailable')
}

/** Sign-in and binding through other services. */
export function registerSignIn(serve: Serve, _deps: Deps & { mails: MailQueue }): void {
  serve(api.startSignIn, notYet)
  serve(api.getSignInState, notYet)
  serve(api.finishGitHub, notYet)
  serve(api.finishOidc, notYet)
  serve(api.finishLinuxDo, notYet)
  serve(api.loginWithWeChat, notYet)
  serve(api.bindWeChat, notYet)
  serve(api.loginWithTelegram, notYet)
  serve(api.bindTelegram, notYet)
  serve(api.unbindService, notYet)
}
