import { sql, type Insertable } from 'kysely'
import type { Db } from '../connect.ts'
import type { TopUpTable } from '../schema/index.ts'

export interface OrderFilters {
  user_id?: number
  status?: string
  provider?: string
  trade_no?: string
}

export function page(db: Db, filters: OrderFilters, { limit, offset }: { limit: number; offset: number }) {
  return chosen(db, filters)
    .innerJoin('user', 'user.id', 'top_up.user_id')
    .selectAll('top_up')
    .select('user.username')
    .orderBy('top_up.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** An order with the name of who placed it. */
export type TopUpRow = Awaited<ReturnType<typeof page>>[number]

export async function count(db: Db, filters: OrderFilters): Promise<number> {
  const { total } = await chosen(db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function find(db: Db, order: { id: number } | { tradeNo: string }): Promise<TopUpRow | undefined> {
  return db
    .selectFrom('top_up')
    .innerJoin('user', 'user.id', 'top_up.user_id')
    .selectAll('top_up')
    .select('user.username')
    .where((eb) => ('id' in order ? eb('top_up.id', '=', order.id) : eb('trade_no', '=', order.tradeNo)))
    .executeTakeFirst()
}

export async function insert(db: Db, order: Insertable<TopUpTable>): Promise<number> {
  const { id } = await db.insertInto('top_up').values(order).returning('id').executeTakeFirstOrThrow()
  return id
}

/** What the provider calls the order, and until when it can be paid there. */
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

function chosen(db: Db, { user_id, status, provider, trade_no }: OrderFilters) {
  let query = db.selectFrom('top_up')
  if (user_id !== undefined) query = query.where('top_up.user_id', '=', user_id)
  if (status !== undefined) query = query.where(sql`top_up.status`, '=', status)
  if (provider !== undefined) query = query.where('top_up.provider', '=', provider)
  if (trade_no !== undefined) query = query.where('top_up.trade_no', '=', trade_no)
  return query
}
