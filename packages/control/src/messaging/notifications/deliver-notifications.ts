import { deliveries, type Db, type DeliveryRow } from '@tidegate/storage'
import { sendNotice, type SendDeps, type SentNotice } from './send-notification.ts'
import { tellOfFailure } from './tell-of-failure.ts'

const AT_ONCE = 20
/** The waits before the second and each further attempt. */
const WAITS_SECONDS = [10, 60, 300]

/** Sends what waits and whose time has come, until nothing is left or the process ends. Any number may run. */
export async function deliverWaiting(deps: SendDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const due = await deliveries.claimDue(deps.db, AT_ONCE)
    if (due.length === 0) return
    await Promise.all(due.map((delivery) => deliver(deps, delivery)))
  }
}

async function deliver(deps: SendDeps, delivery: DeliveryRow): Promise<void> {
  try {
    await conclude(deps.db, delivery, await attempt(deps, delivery))
  } catch (error) {
    // The database is away: the lease runs out, and then it is tried again.
    deps.log.error({ err: error, delivery: delivery.id }, 'a notice could not be concluded')
  }
}

/** Counts what breaks on our side, such as a secret that no longer opens, as a try, so that it does not go on for ever. */
async function attempt(deps: SendDeps, delivery: DeliveryRow): Promise<SentNotice> {
  try {
    return await sendNotice(deps, delivery)
  } catch (error) {
    deps.log.error({ err: error, delivery: delivery.id }, 'a notice could not be sent')
    return { target: delivery.target, error: 'interrupted' }
  }
}

/** Writes down how it went: done, to be tried again after a while, or given up, which its owner is told. */
async function conclude(db: Db, delivery: DeliveryRow, sent: SentNotice): Promise<void> {
  const wait = sent.isFinal ? undefined : WAITS_SECONDS[delivery.attempts - 1]
  const isAgain = sent.error !== '' && wait !== undefined
  await db.transaction().execute(async (transaction) => {
    const row = await deliveries.finish(transaction, delivery, {
      status: sent.error === '' ? 'delivered' : isAgain ? 'waiting' : 'failed',
      ...resultOf(sent),
      ...(isAgain && { retryInSeconds: wait }),
    })
    if (row?.status === 'failed' && sent.error !== 'mail_not_configured') await tellOfFailure(transaction, row)
  })
}

export function resultOf({ target, error, responseStatus, responseBody }: SentNotice) {
  return { target, error, response_status: responseStatus ?? null, response_body: responseBody ?? '' }
}
