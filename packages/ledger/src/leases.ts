import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { addToAccount, takeFromAccount } from './accounts.ts'

/** How long a lease outlives the last sign of life of the process that holds it. */
export const LEASE_SECONDS = 90

export interface LeaseOrder {
  requestId: string
  holder: string
  userId: number
  tokenId: number
  amount: number
}

/** Moves credit from an account to a lease of one request. Both sides change in the caller's transaction. */
export async function takeLease(db: Db, order: LeaseOrder): Promise<boolean> {
  if (!(await takeFromAccount(db, order.userId, order.tokenId, order.amount))) return false
  await db
    .insertInto('credit_lease')
    .values({
      user_id: order.userId,
      token_id: order.tokenId,
      holder: order.holder,
      request_id: order.requestId,
      amount: order.amount,
      deadline: sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`,
    })
    .execute()
  return true
}

/** Ends the leases of a request and says what each account had set aside. */
export async function closeLeases(db: Db, requestId: string): Promise<ReadonlyMap<number, number>> {
  const closed = await db
    .deleteFrom('credit_lease')
    .where('request_id', '=', requestId)
    .returning(['token_id', 'amount'])
    .execute()
  return new Map(closed.map(({ token_id, amount }) => [token_id, amount]))
}

/** Gives the credit of a request that will not be billed back to its accounts. */
export async function returnLeases(db: Db, requestId: string): Promise<void> {
  const closed = await db
    .deleteFrom('credit_lease')
    .where('request_id', '=', requestId)
    .returning(['user_id', 'token_id', 'amount'])
    .execute()
  for (const { user_id, token_id, amount } of inAccountOrder(closed)) await addToAccount(db, user_id, token_id, amount)
}

/** A sign of life: keeps the leases of this process from being reclaimed. */
export async function renewLeases(db: Db, holder: string): Promise<void> {
  await db
    .updateTable('credit_lease')
    .set({ deadline: sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where('holder', '=', holder)
    .execute()
}

/** Returns the credit of leases whose process has not been heard of. */
export async function reclaimExpiredLeases(db: Db): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const expired = await transaction
      .deleteFrom('credit_lease')
      .where(
        'id',
        'in',
        transaction
          .selectFrom('credit_lease')
          .select('id')
          .where('deadline', '<', sql<Date>`now()`)
          .orderBy('id')
          .limit(1000)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['user_id', 'token_id', 'amount'])
      .execute()
    for (const lease of inAccountOrder(expired)) {
      await addToAccount(transaction, lease.user_id, lease.token_id, lease.amount)
    }
    return expired.length
  })
}

/** One order for everybody: a user's account, then its tokens. Two transactions over the same rows cannot deadlock. */
function inAccountOrder<Lease extends { user_id: number; token_id: number }>(leases: Lease[]): Lease[] {
  return leases.toSorted((a, b) => a.user_id - b.user_id || a.token_id - b.token_id)
}
