import { sql } from 'kysely'
import { jsonText, lowBalances, type Db } from '@tidegate/storage'

/** Movements that are not requests. */
export type EntryKind =
  | 'setup_grant'
  | 'signup_gift'
  | 'invite_reward'
  | 'invite_transfer'
  | 'rebate'
  | 'top_up'
  | 'redemption'
  | 'check_in'
  | 'admin_change'
  | 'refund'
  | 'top_up_refund'
  | 'top_up_dispute'
  | 'top_up_failed'
  | 'rebate_reversal'
  | 'token_limit'

export interface Movement {
  userId: number
  /** Leave out for the user's own account; a limited token has an account of its own. */
  tokenId?: number
  kind: EntryKind
  /** Positive adds credit. */
  amount: number
  /** Names the cause of a movement that may happen only once, such as a payment's trade number. */
  reference?: string
  actorId?: number | null
  details?: Record<string, unknown>
}

/** Moves credit and writes the entry that explains it. Call it in the transaction of what caused the movement. */
export async function recordMovement(db: Db, movement: Movement): Promise<void> {
  await db
    .insertInto('ledger_entry')
    .values({
      user_id: movement.userId,
      token_id: movement.tokenId ?? 0,
      kind: movement.kind,
      amount: movement.amount,
      reference: movement.reference ?? '',
      actor_id: movement.actorId ?? null,
      details: jsonText(movement.details ?? {}),
    })
    .execute()
  await addToAccount(db, movement.userId, movement.tokenId ?? 0, movement.amount)
}

/** Adds to (or takes from) a balance without asking whether there is enough. */
export async function addToAccount(db: Db, userId: number, tokenId: number, amount: number): Promise<void> {
  const account =
    tokenId === 0
      ? db
          .updateTable('user')
          .set({ quota: sql`quota + ${amount}`, low_balance_since: lowBalances.markAfter(amount) })
          .where('id', '=', userId)
      : db
          .updateTable('token')
          .set({ remain_quota: sql`remain_quota + ${amount}` })
          .where('id', '=', tokenId)
  await account.execute()
}

/** Takes from a balance when it holds enough; the guard is in WHERE, so racing callers cannot overdraw. */
export async function takeFromAccount(db: Db, userId: number, tokenId: number, amount: number): Promise<boolean> {
  const account =
    tokenId === 0
      ? db
          .updateTable('user')
          .set({ quota: sql`quota - ${amount}` })
          .where('id', '=', userId)
          .where('quota', '>=', amount)
      : db
          .updateTable('token')
          .set({ remain_quota: sql`remain_quota - ${amount}` })
          .where('id', '=', tokenId)
          .where('user_id', '=', userId)
          .where('remain_quota', '>=', amount)
  const { numUpdatedRows } = await account.executeTakeFirst()
  return numUpdatedRows === 1n
}
