import { publish, type Db } from '@tidegate/storage'
import { recordMovement } from './record-entry.ts'
import { endOfPeriod, type LockedToken, type TokenLimit } from './token-limit.ts'

export interface TokenLimitChange {
  token: LockedToken
  to: TokenLimit
  /** What was left when the owner decided on a quota for life; what was spent since then stays spent. */
  seen?: number | undefined
  actorId: number
  now: Date
}

/** Gives a locked token another limit, moving its account by the difference. Part of the caller's transaction. */
export async function changeTokenLimit(transaction: Db, change: TokenLimitChange): Promise<void> {
  const { token, to, actorId, now } = change
  const amount = amountToMove(change)
  if (amount !== 0) {
    const account = { userId: token.userId, tokenId: token.id }
    await recordMovement(transaction, { ...account, kind: 'token_limit', amount, actorId })
  }
  await transaction
    .updateTable('token')
    .set({
      unlimited_quota: to.kind === 'unlimited',
      budget_period: to.kind === 'period' ? to.period : '',
      budget_quota: to.kind === 'period' ? to.quota : 0,
      budget_zone: to.kind === 'period' ? to.zone : 'UTC',
      budget_resets_at: to.kind === 'period' ? await endOfPeriod(transaction, to.period, to.zone, now) : null,
    })
    .where('id', '=', token.id)
    .execute()
  await publish(transaction, { kind: 'caller', tokenHash: token.hash })
}

/** Never takes more than the account holds: what runs at this moment is paid for. */
function amountToMove({ token: { limit, held }, to, seen }: TokenLimitChange): number {
  if (to.kind === 'unlimited') return 0
  const kept = limit.kind === to.kind
  let before = held
  if (kept && limit.kind === 'life') before = seen ?? held
  if (kept && limit.kind === 'period') before = limit.quota // what was spent in this period stays spent
  return Math.max(to.quota - before, -held)
}
