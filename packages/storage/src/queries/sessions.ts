import { sql, type Insertable } from 'kysely'
import type { Db } from '../connect.ts'
import type { SessionTable } from '../schema/index.ts'

export async function insert(db: Db, session: Insertable<SessionTable>): Promise<void> {
  await db.insertInto('session').values(session).execute()
}

/** Notes that a session was used, at most once a minute so that reading a page does not write a row each time. */
export async function touch(db: Db, idHash: string, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('id_hash', '=', idHash)
    .where('last_seen_at', '<', sql<Date>`${now}::timestamptz - interval '1 minute'`)
    .execute()
}

export async function remove(db: Db, idHash: string): Promise<void> {
  await db.deleteFrom('session').where('id_hash', '=', idHash).execute()
}

export async function removeAllOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', userId).execute()
}

export async function removeExpired(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('session').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
