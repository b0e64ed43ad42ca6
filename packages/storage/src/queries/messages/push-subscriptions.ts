import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { PushKeyTable, PushSubscriptionTable } from '../../schema/index.ts'

export type PushSubscriptionRow = Selectable<PushSubscriptionTable>
export type PushKeyRow = Pick<Selectable<PushKeyTable>, 'public_key' | 'sealed_private_key'>

const columns = [
  'id',
  'user_id',
  'endpoint_hash',
  'host',
  'sealed',
  'user_agent',
  'session_hash',
  'created_at',
  'last_success_at',
] as const satisfies readonly (keyof PushSubscriptionTable)[]

export function listOf(db: Db, userId: number): Promise<PushSubscriptionRow[]> {
  return db.selectFrom('push_subscription').select(columns).where('user_id', '=', userId).orderBy('id').execute()
}

/** Undefined when the user has no such subscription. */
export function find(db: Db, userId: number, id: number): Promise<PushSubscriptionRow | undefined> {
  return db
    .selectFrom('push_subscription')
    .select(columns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Of any user. Locks the row. */
export function lockByEndpoint(transaction: Db, endpointHash: string): Promise<PushSubscriptionRow | undefined> {
  return transaction
    .selectFrom('push_subscription')
    .select(columns)
    .where('endpoint_hash', '=', endpointHash)
    .forUpdate()
    .executeTakeFirst()
}

export async function countOf(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('push_subscription')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export type NewPushSubscription = Pick<
  Insertable<PushSubscriptionTable>,
  'user_id' | 'endpoint_hash' | 'host' | 'sealed' | 'user_agent' | 'session_hash'
>

/** Adds a subscription. One with the same endpoint is replaced and keeps its ID. */
export function put(db: Db, subscription: NewPushSubscription): Promise<PushSubscriptionRow> {
  const { endpoint_hash: _, ...replaced } = subscription
  return db
    .insertInto('push_subscription')
    .values(subscription)
    .onConflict((conflict) =>
      conflict.column('endpoint_hash').doUpdateSet({ ...replaced, created_at: sql`now()`, last_success_at: null }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function recordSuccess(db: Db, id: number): Promise<void> {
  await db
    .updateTable('push_subscription')
    .set({ last_success_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Returns its host; undefined when the user has no such subscription. */
export async function remove(
  db: Db,
  userId: number,
  by: { id: number } | { endpoint_hash: string },
): Promise<string | undefined> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['endpoint_hash', by.endpoint_hash] as const)
  const removed = await db
    .deleteFrom('push_subscription')
    .where(column, '=', value)
    .where('user_id', '=', userId)
    .returning('host')
    .executeTakeFirst()
  return removed?.host
}

/** Removes a subscription that the push service has ended, unless it was replaced meanwhile. */
export async function removeEnded(db: Db, { id, sealed }: Pick<PushSubscriptionRow, 'id' | 'sealed'>): Promise<void> {
  await db.deleteFrom('push_subscription').where('id', '=', id).where('sealed', '=', sealed).execute()
}

export async function removeOfSession(db: Db, sessionHash: string): Promise<void> {
  await db.deleteFrom('push_subscription').where('session_hash', '=', sessionHash).execute()
}

export async function removeAllOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('push_subscription').where('user_id', '=', userId).execute()
}

/** The key pair of the site; undefined before its first use. */
export function findKey(db: Db): Promise<PushKeyRow | undefined> {
  return db.selectFrom('push_key').select(['public_key', 'sealed_private_key']).executeTakeFirst()
}

/** Stores the key pair unless there is one, so that concurrent nodes end with the same pair. */
export async function putNewKey(db: Db, key: PushKeyRow): Promise<void> {
  await db
    .insertInto('push_key')
    .values({ id: 1, ...key })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
