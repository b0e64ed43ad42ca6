import { publish, type Db } from '@tidegate/storage'
import { recordMovement } from './record-entry.ts'
import { endOfPeriod, lockToken } from './token-limit.ts'

const TOKEN_STATUS = { enabled: 1, exhausted: 4 } as const

/**
 * Fills a token's account up for the period that has begun. What calls hold at this moment counts in the new period. Does
 * nothing before the period is over, so whoever comes first does it and the others find it done.
 */
export async function resetTokenBudget(db: Db, tokenId: number, now: Date): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const token = await lockToken(transaction, tokenId)
    if (!token?.resetsAt || token.limit.kind !== 'period' || now < token.resetsAt) return false
    const { quota, period, zone } = token.limit
    const resetsAt = await endOfPeriod(transaction, period, zone, now)
    const amount = quota - token.held
    if (amount !== 0) {
      const details = { event: 'budget_reset', period }
      await recordMovement(transaction, { userId: token.userId, tokenId, kind: 'token_limit', amount, details })
    }
    await transaction
      .updateTable('token')
      .set((eb) => ({
        budget_resets_at: resetsAt,
        status: eb
          .case()
          .when('status', '=', TOKEN_STATUS.exhausted)
          .then(TOKEN_STATUS.enabled)
          .else(eb.ref('status'))
          .end(),
      }))
      .where('id', '=', tokenId)
      .execute()
    await publish(transaction, { kind: 'caller', tokenHash: token.hash })
    return true
  })
}

/** Tokens whose period is over; a site's, or one user's. */
export async function resetDueBudgets(db: Db, now: Date, userId?: number): Promise<number> {
  let due = db
    .selectFrom('token')
    .select('id')
    .where('budget_period', '<>', '')
    .where('deleted_at', 'is', null)
    .where('budget_resets_at', '<=', now)
  if (userId !== undefined) due = due.where('user_id', '=', userId)
  let count = 0
  for (const { id } of await due.execute()) if (await resetTokenBudget(db, id, now)) count += 1
  return count
}
