import { type Db, publish, type TokenTable } from '@tidegate/storage'
import { type Selectable, sql } from 'kysely'
import { recordEntry } from './record-entry.ts'

export type BudgetPeriod = Exclude<Selectable<TokenTable>['budget_period'], ''>

/** What a token may spend: the owner's balance, a lifetime quota, or a quota per period. */
export type TokenLimit =
  | { kind: 'unlimited' }
  | { kind: 'life'; quota: number }
  | { kind: 'period'; quota: number; period: BudgetPeriod; zone: string }

export interface LockedToken {
  id: number
  userId: number
  hash: string
  limit: TokenLimit
  /** The balance of its account, including leases. */
  held: number
  resetsAt: Date | null
}

/**
 * Locks a token's account until the end of the transaction. The leases are read after the lock: a statement that waited
 * for a concurrent lease would see the leases from before.
 */
export async function lockToken(transaction: Db, id: number): Promise<LockedToken | undefined> {
  const token = await transaction
    .selectFrom('token')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!token) return undefined
  const { leased } = await transaction
    .selectFrom('credit_lease')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('leased'))
    .where('user_id', '=', token.user_id)
    .where('token_id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    id,
    userId: token.user_id,
    hash: token.hash,
    limit: limitOf(token),
    held: token.remain_quota + leased,
    resetsAt: token.budget_resets_at,
  }
}

function limitOf(token: {
  unlimited_quota: boolean
  budget_period: '' | BudgetPeriod
  budget_quota: number
  budget_zone: string
  remain_quota: number
}): TokenLimit {
  const { budget_period: period, budget_quota: quota, budget_zone: zone } = token
  if (token.unlimited_quota) return { kind: 'unlimited' }
  return period === '' ? { kind: 'life', quota: token.remain_quota } : { kind: 'period', quota, period, zone }
}

/** The end of the period that contains a time, in the wall clock of a time zone, including daylight saving changes. */
export async function endOfPeriod(db: Db, period: BudgetPeriod, zone: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ end: Date }>`
    select (date_trunc(${period}, ${now}::timestamptz at time zone ${zone}) + ('1 ' || ${period})::interval)
      at time zone ${zone} as end`.execute(db)
  return rows[0]!.end
}

export interface TokenLimitChange {
  token: LockedToken
  to: TokenLimit
  /** The remaining lifetime quota that the owner saw; spending since then stays spent. */
  seen?: number | undefined
  actorId: number
  now: Date
}

/** Changes the limit of a locked token and moves its account by the difference. Part of the caller's transaction. */
export async function changeTokenLimit(transaction: Db, change: TokenLimitChange): Promise<void> {
  const { token, to, actorId, now } = change
  const amount = amountToMove(change)
  if (amount !== 0) {
    const account = { userId: token.userId, tokenId: token.id }
    await recordEntry(transaction, { ...account, kind: 'token_limit', amount, actorId })
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

/** Never takes more than the account holds, so that running requests stay paid. */
function amountToMove({ token: { limit, held }, to, seen }: TokenLimitChange): number {
  if (to.kind === 'unlimited') return 0
  const isSameKind = limit.kind === to.kind
  let before = held
  if (isSameKind && limit.kind === 'life') before = seen ?? held
  if (isSameKind && limit.kind === 'period') before = limit.quota // spending in this period stays spent
  return Math.max(to.quota - before, -held)
}

const TOKEN_STATUS = { enabled: 1, exhausted: 4 } as const

/**
 * Refills a token's account for the new period. Credit that requests hold counts in the new period. Does nothing before
 * the period is over, so concurrent callers refill once.
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
      await recordEntry(transaction, { userId: token.userId, tokenId, kind: 'token_limit', amount, details })
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

/** Resets tokens whose period is over, of all users or of one. */
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
