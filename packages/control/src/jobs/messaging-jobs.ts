import { deliveries } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { deliverMessages } from '../messaging/messages/deliver-messages.ts'
import { deliverDue } from '../messaging/notifications/deliver-notifications.ts'
import { warnLowBalances } from '../messaging/notifications/low-balance.ts'
import type { Job } from './run-jobs.ts'

type NotificationJobDeps = Pick<
  Deps,
  'db' | 'vault' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient' | 'upstream'
>

const HOUR = 3600
const DAY_MS = 86_400_000
const DELIVERY_DAYS = 30

/** Warns of low balances, sends notices by mail and webhook, and forgets old ones. */
export function noticeJobs(deps: NotificationJobDeps): Job[] {
  const { db, log, now } = deps
  const warn = async (hours: number) => {
    const users = await warnLowBalances(deps, hours)
    if (users > 0) log.info({ users }, 'balances fell below their warning threshold')
  }
  return [
    { name: 'warn-of-low-balances', everySeconds: 5, run: () => warn(1) },
    // What was booked late, or while no worker ran.
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
 * Brings messages to groups and to everybody. Sending may outlast the lease: another worker that joins then finds each
 * message locked by the one that is at it, and takes turns at worst.
 */
export function messageJobs(deps: Pick<Deps, 'db' | 'now'>): Job[] {
  return [{ name: 'deliver-messages', everySeconds: 2, run: (stopping) => deliverMessages(deps, stopping) }]
}
