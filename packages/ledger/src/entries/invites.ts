import { ApiError, MAX_QUOTA, type Settings } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { sql } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import { isRecorded, creditAccount, type LockedAccount, lockActiveAccount, writeLog } from './credit-account.ts'
import { recordEntry } from './record-entry.ts'

export interface InviteReward {
  /** The new user, whose row names the inviter. */
  userId: number
  settings: Pick<Settings, 'AffEnabled' | 'QuotaForInvitee' | 'QuotaForInviter'>
  now?: Date
}

/**
 * Rewards both sides of an invitation: the invitee's balance, and the inviter's transferable earnings. Returns whether
 * it did. Call it in the transaction that creates the user.
 */
export async function rewardInvite(db: Db, { userId, settings, now = new Date() }: InviteReward): Promise<boolean> {
  if (!settings.AffEnabled) return false
  return inTransaction(db, now, async (transaction) => {
    const { account, inviter } = await lockActiveAccount(transaction, userId, { withInviter: true })
    if (!inviter || inviter.deleted) return false
    if (await isRecorded(transaction, userId, 'invite_reward', REFERENCE)) return false
    await rewardInvitee(transaction, account, inviter, settings, now)
    await rewardInviter(transaction, inviter, settings, now)
    return true
  })
}

async function rewardInvitee(
  db: Db,
  account: LockedAccount,
  inviter: LockedAccount,
  { QuotaForInvitee: amount, QuotaForInviter }: InviteReward['settings'],
  now: Date,
): Promise<void> {
  const details = { inviter_id: inviter.id, inviter_reward: QuotaForInviter }
  const entry = { kind: 'invite_reward', amount, reference: REFERENCE, details } as const
  // An entry of 0 still marks the invitation as rewarded, because the inviter's earnings are not part of a balance.
  if (amount === 0) return recordEntry(db, { userId: account.id, ...entry })
  const note = { event: 'invite_gift', content: `Gift for using an invitation: ${amount} points` }
  await creditAccount(db, account, now, entry, { type: 'system', ...note })
}

async function rewardInviter(
  db: Db,
  inviter: LockedAccount,
  { QuotaForInviter: amount }: InviteReward['settings'],
  now: Date,
): Promise<void> {
  await db
    .updateTable('user')
    .set({
      aff_count: sql`aff_count + 1`,
      aff_quota: sql`least(aff_quota + ${amount}, ${MAX_QUOTA})`,
      aff_history_quota: sql`least(aff_history_quota + ${amount}, ${MAX_QUOTA})`,
    })
    .where('id', '=', inviter.id)
    .execute()
  if (amount === 0) return
  const note = { event: 'invite_reward', content: `Reward for an invitation: ${amount} points`, facts: { amount } }
  await writeLog(db, inviter, now, { type: 'system', ...note })
}

const REFERENCE = 'invite'

export interface EarningsTransfer {
  userId: number
  quota: number
  settings: Pick<Settings, 'QuotaPerUnit'>
  now?: Date
  /** Names the request, so that a repeated request transfers once. */
  requestId?: string
}

/** Moves invite earnings to the balance, at least one unit. */
export async function transferInviteEarnings(db: Db, transfer: EarningsTransfer): Promise<void> {
  const { userId, quota, settings, now = new Date(), requestId = '' } = transfer
  const min = Math.ceil(settings.QuotaPerUnit)
  if (!Number.isSafeInteger(quota) || quota <= 0) throw new ApiError('quota_invalid', { min, max: MAX_QUOTA })
  if (quota < min) throw new ApiError('aff_min', { min })
  const reference = requestId && `request:${requestId}`

  await inTransaction(db, now, async (transaction) => {
    const { account } = await lockActiveAccount(transaction, userId)
    if (await isRecorded(transaction, userId, 'invite_transfer', reference)) return
    if (!(await takeEarnings(transaction, userId, quota))) throw new ApiError('aff_not_enough')
    await creditAccount(
      transaction,
      account,
      now,
      { kind: 'invite_transfer', amount: quota, reference },
      { type: 'system', event: 'invite_transfer', content: `Invite earnings moved to the balance: ${quota} points` },
    )
  })
}

async function takeEarnings(db: Db, userId: number, quota: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ aff_quota: sql`aff_quota - ${quota}` })
    .where('id', '=', userId)
    .where('aff_quota', '>=', quota)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
