import { logEvent } from '@tidegate/contract'
import { deliveries } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { deliverMessages } from '../messaging/messages/deliver-messages.ts'
import { deliverDue } from '../messaging/outbox/deliver.ts'
import { warnLowBalances } from '../messaging/notifications/low-balance.ts'
import type { Job } from './run-jobs.ts'

type NotificationJobDeps = Pick<
  Deps,
  'db' | 'vault' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient' | 'upstream'
>

const HOUR = 3600
const DAY_MS = 86_400_000
const DELIVERY_DAYS = 30

/** Warns about low balances, delivers notifications and removes old deliveries. */
export function notificationJobs(deps: NotificationJobDeps): Job[] {
  const { db, log, now } = deps
  const warn = async (hours: number) => {
    const users = await warnLowBalances(deps, hours)
    if (users > 0) logEvent(log, 'notification.low_balance_sent', { users })
  }
  return [
    { name: 'warn-of-low-balances', everySeconds: 5, run: () => warn(1) },
    // late settlements, or while no worker ran
    { name: 'warn-of-missed-low-balances', everySeconds: HOUR, run: () => warn(48) },
    { name: 'deliver-notices', everySeconds: 2, run: (stopping) => deliverDue(deps, stopping) },
    {
      name: 'purge-deliveries',
      everySeconds: HOUR,
      async run() {
        await deliveries.removeBefore(db, new Date(now().getTime() - DELIVERY_DAYS * DAY_MS))
      },
    },
  ]
}

/**
 * Delivers messages to groups and all users. A delivery may outlast the lease; another worker then waits for the lock
 * of each message.
 */
export function messageJobs(deps: Pick<Deps, 'db' | 'now'>): Job[] {
  return [{ name: 'deliver-messages', everySeconds: 2, run: (stopping) => deliverMessages(deps, stopping) }]
}
