import { sql } from 'kysely'
import { MAX_QUOTA, type Settings } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { recordMovement } from './record-entry.ts'
import { alreadyMoved } from './is-recorded.ts'
import { creditAccount } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockLiveAccount, type LockedAccount } from './lock-accounts.ts'
import { writeLog } from './write-log.ts'

export interface InviteReward {
  /** The new user, whose row names the inviter. */
  userId: number
  settings: Pick<Settings, 'AffEnabled' | 'QuotaForInvitee' | 'QuotaForInviter'>
  now?: Date
}

/**
 * Rewards both sides of an invitation: the invited on the balance, the inviter in earnings to be transferred. True when
 * it did. Call it in the transaction that makes the user.
 */
export async function rewardInvite(db: Db, { userId, settings, now = new Date() }: InviteReward): Promise<boolean> {
  if (!settings.AffEnabled) return false
  return inTransaction(db, now, async (transaction) => {
    const { account, inviter } = await lockLiveAccount(transaction, userId, { withInviter: true })
    if (!inviter || inviter.deleted) return false
    if (await alreadyMoved(transaction, userId, 'invite_reward', REFERENCE)) return false
    await rewardInvited(transaction, account, inviter, settings, now)
    await rewardInviter(transaction, inviter, settings, now)
    return true
  })
}

async function rewardInvited(
  db: Db,
  account: LockedAccount,
  inviter: LockedAccount,
  { QuotaForInvitee: amount, QuotaForInviter }: InviteReward['settings'],
  now: Date,
): Promise<void> {
  const details = { inviter_id: inviter.id, inviter_reward: QuotaForInviter }
  const movement = { kind: 'invite_reward', amount, reference: REFERENCE, details } as const
  // An entry of nothing still marks the invitation as rewarded, for the inviter's earnings are not on a balance.
  if (amount === 0) return recordMovement(db, { userId: account.id, ...movement })
  const note = { event: 'invite_gift', content: `Gift for using an invitation: ${amount} points` }
  await creditAccount(db, account, now, movement, { type: 'system', ...note })
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
