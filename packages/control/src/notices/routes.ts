import { api, Refusal } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import type { MailQueue } from '../mail/mail-queue.ts'

const notYet = (): never => {
  throw new Refusal('service_unavailable')
}

/** Notices by mail and webhook, and the record of their delivery. */
export function registerNotices(serve: Serve, _deps: Deps & { mails: MailQueue }): void {
  serve(api.listDeliveries, notYet)
  serve(api.retryDelivery, notYet)
  serve(api.testNotice, notYet)
}
