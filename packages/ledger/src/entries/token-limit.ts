import { sql, type Selectable } from 'kysely'
import type { Db, TokenTable } from '@tidegate/storage'

export type BudgetPeriod = Exclude<Selectable<TokenTable>['budget_period'], ''>

/** What a token may spend: whatever its owner has, so much in its life, or so much in every period. */
export type TokenLimit =
  | { kind: 'unlimited' }
  | { kind: 'life'; quota: number }
  | { kind: 'period'; quota: number; period: BudgetPeriod; zone: string }

export interface LockedToken {
  id: number
  userId: number
  hash: string
  limit: TokenLimit
  /** What its account holds, open leases included. */
  held: number
  resetsAt: Date | null
}

/**
 * A token whose account nobody else can move before this transaction ends. The leases are read after the lock: a statement
 * that waited for a lease to be taken would see them as they were before.
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

/** When the period that a moment lies in ends, by the clock on the wall of a zone; the days of a changing clock included. */
export async function endOfPeriod(db: Db, period: BudgetPeriod, zone: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ end: Date }>`
    select (date_trunc(${period}, ${now}::timestamptz at time zone ${zone}) + ('1 ' || ${period})::interval)
      at time zone ${zone} as end`.execute(db)
  return rows[0]!.end
}
