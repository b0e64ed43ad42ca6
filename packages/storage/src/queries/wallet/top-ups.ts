import { sql, type Insertable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { TopUpTable } from '../../schema/index.ts'

export interface PaymentOrderFilters {
  user_id?: number
  status?: string
  provider?: string
  trade_no?: string
}

export function page(db: Db, filters: PaymentOrderFilters, { limit, offset }: { limit: number; offset: number }) {
  return applyFilters(db, filters)
    .innerJoin('user', 'user.id', 'top_up.user_id')
    .selectAll('top_up')
    .select('user.username')
    .orderBy('top_up.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** An order with the name of its user. */
export type TopUpRow = Awaited<ReturnType<typeof page>>[number]

export async function count(db: Db, filters: PaymentOrderFilters): Promise<number> {
  const { total } = await applyFilters(db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

type OrderSelector = { id: number } | { tradeNo: string } | { provider: string; payment: string }

export async function find(db: Db, name: OrderSelector): Promise<TopUpRow | undefined> {
  const query = db
    .selectFrom('top_up')
    .innerJoin('user', 'user.id', 'top_up.user_id')
    .selectAll('top_up')
    .select('user.username')
  if ('id' in name) return query.where('top_up.id', '=', name.id).executeTakeFirst()
  if ('tradeNo' in name) return query.where('trade_no', '=', name.tradeNo).executeTakeFirst()
  return query.where('provider', '=', name.provider).where('payment_reference', '=', name.payment).executeTakeFirst()
}

/** Locks an order until the transaction ends. A stronger lock could deadlock with events that refer to the order. */
export function lock(db: Db, id: number) {
  return db.selectFrom('top_up').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}

export type LockedTopUp = Awaited<ReturnType<typeof lock>>

/** Links an order to its payment, which refunds and disputes refer to. The first link stays. */
export async function setPayment(db: Db, id: number, payment: string): Promise<void> {
  await db
    .updateTable('top_up')
    .set({ payment_reference: payment })
    .where('id', '=', id)
    .where('payment_reference', '=', '')
    .execute()
}

/** Ends an unpaid order. A credited order does not change. */
export async function endUnpaid(db: Db, id: number, status: 'expired' | 'failed'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('top_up')
    .set({ status })
    .where('id', '=', id)
    .where('status', 'in', status === 'expired' ? ['pending'] : ['pending', 'expired'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Orders that owe credit and whose payer or inviter has a balance. */
export async function findCollectable(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from top_up t join "user" u on u.id = t.user_id where t.owed_quota > 0 and u.quota > 0
    union
    select t.id from top_up t join "user" u on u.id = t.rebate_user_id where t.rebate_owed > 0 and u.quota > 0
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What a user owes after refunds and disputes, as payer and as inviter. */
export async function sumOwed(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ owed: number }>`
    select (select coalesce(sum(owed_quota), 0) from top_up where user_id = ${userId} and owed_quota > 0)::bigint +
           (select coalesce(sum(rebate_owed), 0) from top_up where rebate_user_id = ${userId} and rebate_owed > 0)::bigint
           as owed`.execute(db)
  return rows[0]?.owed ?? 0
}

export async function insert(db: Db, order: Insertable<TopUpTable>): Promise<number> {
  const { id } = await db.insertInto('top_up').values(order).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Stores the provider's ID of the order and its expiry. */
export async function setReference(db: Db, id: number, reference: string, expiresAt: Date): Promise<void> {
  await db
    .updateTable('top_up')
    .set({ provider_reference: reference, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

export async function expirePending(db: Db, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('top_up')
    .set({ status: 'expired' })
    .where('status', '=', 'pending')
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function countPendingOf(db: Db, userId: number): Promise<number> {
  return count(db, { user_id: userId, status: 'pending' })
}

function applyFilters(db: Db, { user_id, status, provider, trade_no }: PaymentOrderFilters) {
  let query = db.selectFrom('top_up')
  if (user_id !== undefined) query = query.where('top_up.user_id', '=', user_id)
  // A reversed order is listed by its reversal.
  if (status !== undefined) query = query.where(sql`coalesce(nullif(top_up.reversal, ''), top_up.status)`, '=', status)
  if (provider !== undefined) query = query.where('top_up.provider', '=', provider)
  if (trade_no !== undefined) query = query.where('top_up.trade_no', '=', trade_no)
  return query
}
