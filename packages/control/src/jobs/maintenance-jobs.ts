import { type Settings, logEvent, type Log } from '@tidegate/contract'
import {
  collectDebts,
  formatDigest,
  purgeBatches,
  reclaimExpiredLeases,
  resetDueBudgets,
  sealLedger,
  writeDigest,
} from '@tidegate/ledger'
import {
  auditEvents,
  authFlows,
  deregisteredUsers,
  idempotencyKeys,
  logParcels,
  mailCodes,
  paymentEvents,
  redemptions,
  sessions,
  topUps,
  type Db,
  type Vault,
} from '@tidegate/storage'
import { sessionLimits } from '../auth/sessions/sessions.ts'
import type { Job } from './run-jobs.ts'

interface JobDeps {
  db: Db
  vault: Vault
  log: Log
  now(): Date
  settings(): Settings
}

const HOUR = 3600
const DAY_MS = 86_400_000
/** How long a deregistered account stays identifiable, in case its owner returns. */
const GRACE_DAYS = 30
const ANONYMISED_AT_ONCE = 500
const COLLECTED_AT_ONCE = 500
/** Retention of payment events of other products on the same provider account. */
const UNRELATED_EVENT_DAYS = 90

export function maintenanceJobs({ db, vault, log, now, settings }: JobDeps): Job[] {
  return [
    {
      name: 'reclaim-leases',
      everySeconds: 15,
      async run() {
        const reclaimed = await reclaimExpiredLeases(db)
        if (reclaimed > 0) logEvent(log, 'credit.leases_reclaimed', { reclaimed })
      },
    },
    {
      name: 'token-budgets',
      everySeconds: 60,
      async run() {
        await resetDueBudgets(db, now())
      },
    },
    {
      name: 'collect-owed',
      everySeconds: 60,
      async run() {
        const collected = await collectDebts(db, { limit: COLLECTED_AT_ONCE, now: now() })
        if (collected > 0) logEvent(log, 'payment.debts_collected', { orders: collected })
      },
    },
    {
      name: 'seal-ledger',
      everySeconds: 60,
      async run(stopping) {
        await sealLedger(db, { vault, now: now(), stopping })
        const digest = await writeDigest(db, { vault, now: now() })
        if (digest) logEvent(log, 'ledger.digest', { digest: formatDigest(digest) })
      },
    },
    {
      name: 'seal-redemption-codes',
      everySeconds: HOUR,
      async run(stopping) {
        while (!stopping.aborted && (await redemptions.sealPlainKeys(db, vault)) > 0);
      },
    },
    {
      name: 'purge-expired',
      everySeconds: HOUR,
      async run() {
        await sessions.removeExpired(db, sessionLimits(settings(), now()))
        await mailCodes.removeExpired(db, now())
        await authFlows.removeExpired(db, now())
        await topUps.expirePending(db, now())
        await paymentEvents.removeUnrelated(db, new Date(now().getTime() - UNRELATED_EVENT_DAYS * DAY_MS))
        await idempotencyKeys.removeBefore(db, new Date(now().getTime() - DAY_MS))
        await purgeBatches(db, new Date(now().getTime() - logParcels.REPLAY_DAYS * DAY_MS))
      },
    },
    {
      name: 'anonymise-departed',
      everySeconds: HOUR,
      async run() {
        const leftBefore = new Date(now().getTime() - GRACE_DAYS * DAY_MS)
        for (const id of await deregisteredUsers.findToAnonymise(db, leftBefore, ANONYMISED_AT_ONCE)) {
          await anonymise(db, id, { leftBefore, now: now() })
        }
      },
    },
  ]
}

async function anonymise(db: Db, id: number, times: { leftBefore: Date; now: Date }): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await deregisteredUsers.anonymise(transaction, id, times))) return
    await auditEvents.record(transaction, { actorId: null, action: 'user.anonymise', subject: String(id) })
  })
}
