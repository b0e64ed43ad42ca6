import { MAX_QUOTA, ApiError } from '@tidegate/contract'
import { auditEvents, publish, users, type Db } from '@tidegate/storage'
import { recordMovement } from './record-entry.ts'
import { type AdminAct, isRecorded, lockActiveAccount, writeLog } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'

export interface BalanceChange extends AdminAct {
  userId: number
  /** The balance the administrator wants to see. */
  quota: number
  /** The balance they saw when they decided; what was spent since then stays spent. */
  quotaSeen?: number
  /** A debt on purpose; only a super admin may make one. */
  allowNegative?: boolean
  now?: Date
}

/**
 * Sets a balance by moving the difference. Against a balance that was seen, the difference is the administrator's;
 * otherwise it is what lies between the balance of this moment, gateways' leases included, and the wanted one. The
 * account is locked first: a single statement that waited for a lease to be taken would read the leases as they were
 * before, and miss it.
 */
export async function changeBalance(db: Db, change: BalanceChange): Promise<{ before: number; after: number }> {
  const { userId, actorId, quota, origin, now = new Date() } = change
  checkRange(change)
  const reference = origin.requestId && `request:${origin.requestId}`

  return inTransaction(db, now, async (transaction) => {
    const { account } = await lockActiveAccount(transaction, userId)
    const before = await users.spendable(transaction, userId)
    const amount = (await isRecorded(transaction, userId, 'admin_change', reference)) ? 0 : amountToMove(change, before)
    const after = before + amount
    if (amount === 0) return { before, after }
    if (after > MAX_QUOTA) throw new ApiError('balance_limit', { limit: MAX_QUOTA })

    const details = { before, after, asked: quota, seen: change.quotaSeen ?? null }
    await recordMovement(transaction, { userId, kind: 'admin_change', amount, reference, actorId, details })
    await writeLog(transaction, account, now, {
      type: 'admin',
      event: 'balance_changed',
      content: `Balance changed by an administrator from ${before} to ${after} points`,
      facts: { amount, before, after, actor_id: actorId },
    })
    await auditEvents.record(transaction, {
      actorId,
      action: 'user.balance',
      subject: String(userId),
      details: { amount, ...details },
      clientIp: origin.clientIp,
      requestId: origin.requestId,
      tokenName: origin.tokenName,
    })
    await publish(transaction, { kind: 'credit', userId }) // leaves with the commit
    return { before, after }
  })
}

function checkRange({ quota, quotaSeen, allowNegative = false }: BalanceChange): void {
  const range = { min: allowNegative ? -MAX_QUOTA : 0, max: MAX_QUOTA }
  const fits = Number.isSafeInteger(quota) && quota >= range.min && quota <= range.max
  if (!fits || (quotaSeen !== undefined && !Number.isSafeInteger(quotaSeen))) throw new ApiError('quota_invalid', range)
}

/** Never takes more than would leave nothing, or the debt that was asked for: part of it may be spent by now. */
function amountToMove({ quota, quotaSeen }: BalanceChange, before: number): number {
  const wanted = quota - (quotaSeen ?? before)
  const maxDebit = Math.min(0, Math.min(0, quota) - before)
  return Math.max(wanted, maxDebit)
}
