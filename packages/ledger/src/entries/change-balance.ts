import { MAX_QUOTA, ApiError } from '@tidegate/contract'
import { auditEvents, publish, users, type Db } from '@tidegate/storage'
import { recordEntry } from './record-entry.ts'
import { type AdminAction, isRecorded, lockActiveAccount, writeLog } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'

export interface BalanceChange extends AdminAction {
  userId: number
  /** The target balance. */
  quota: number
  /** The balance the administrator saw; spending since then stays spent. */
  quotaSeen?: number
  /** Allows a deliberate debt; only for super admins. */
  allowNegative?: boolean
  now?: Date
}

/**
 * Sets a balance by moving the difference. If the administrator saw a balance, the difference is relative to that one;
 * otherwise to the current balance including leases. The account is locked first: a single statement that waited for a
 * concurrent lease would read the leases from before, and miss it.
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
    await recordEntry(transaction, { userId, kind: 'admin_change', amount, reference, actorId, details })
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
    await publish(transaction, { kind: 'credit', userId }) // sent with the commit
    return { before, after }
  })
}

function checkRange({ quota, quotaSeen, allowNegative = false }: BalanceChange): void {
  const range = { min: allowNegative ? -MAX_QUOTA : 0, max: MAX_QUOTA }
  const fits = Number.isSafeInteger(quota) && quota >= range.min && quota <= range.max
  if (!fits || (quotaSeen !== undefined && !Number.isSafeInteger(quotaSeen))) throw new ApiError('quota_invalid', range)
}

/** Never takes more than the balance, or than the requested debt: a part may be spent by now. */
function amountToMove({ quota, quotaSeen }: BalanceChange, before: number): number {
  const requested = quota - (quotaSeen ?? before)
  const maxDebit = Math.min(0, Math.min(0, quota) - before)
  return Math.max(requested, maxDebit)
}
