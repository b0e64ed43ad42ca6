import type { Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { PasskeyTable } from '../../schema/index.ts'

export type PasskeyRow = Selectable<PasskeyTable>

const columns = [
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'backed_up',
  'name',
  'created_at',
  'last_used_at',
] as const satisfies readonly (keyof PasskeyTable)[]

export function listOf(db: Db, userId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkey').select(columns).where('user_id', '=', userId).orderBy('id').execute()
}

export function findByCredential(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkey').select(columns).where('credential_id', '=', credentialId).executeTakeFirst()
}

export async function countOf(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('passkey')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export type NewPasskey = Pick<
  PasskeyRow,
  'user_id' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'backed_up' | 'name' | 'created_at'
>

/** Undefined when the passkey is already registered. */
export function insert(db: Db, passkey: NewPasskey): Promise<PasskeyRow | undefined> {
  return db
    .insertInto('passkey')
    .values({ ...passkey, transports: JSON.stringify(passkey.transports) })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/**
 * Records the use of a passkey. False when it was removed, or when its counter did not increase, which indicates a
 * copy. Synced passkeys do not count and stay at 0.
 */
export async function recordUse(
  db: Db,
  id: number,
  { counter, backedUp, now }: { counter: number; backedUp: boolean; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, backed_up: backedUp, last_used_at: now })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when the user has no such passkey. */
export async function rename(db: Db, userId: number, id: number, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns its name; undefined when the user has no such passkey. */
export async function remove(db: Db, userId: number, id: number): Promise<string | undefined> {
  const removed = await db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  return removed?.name
}

/** Returns how many were removed. */
export async function removeAllOf(db: Db, userId: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('passkey').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}
