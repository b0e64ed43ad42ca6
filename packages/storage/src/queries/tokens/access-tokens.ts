import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { publish } from '../../notifications/change-notifications.ts'
import type { AccessTokenTable } from '../../schema/index.ts'

type AccessTokenInfo = Pick<Selectable<AccessTokenTable>, 'last_four' | 'created_at' | 'last_used_at'>

/** Replaces the user's token; each user has at most one. */
export async function put(
  db: Db,
  token: Insertable<Pick<AccessTokenTable, 'user_id' | 'hash' | 'last_four'>> & { created_at: Date },
): Promise<void> {
  const { hash, last_four, created_at } = token
  await db
    .insertInto('access_token')
    .values(token)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ hash, last_four, created_at, last_used_at: null }),
    )
    .execute()
}

export function find(db: Db, userId: number): Promise<AccessTokenInfo | undefined> {
  return db
    .selectFrom('access_token')
    .select(['last_four', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** False when there was none. Open event streams of the user are checked again. */
export async function remove(db: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('access_token').where('user_id', '=', userId).executeTakeFirst()
  if (numDeletedRows === 1n) await publish(db, { kind: 'session', userId })
  return numDeletedRows === 1n
}

/** Records the use of a token at most once a minute, to avoid a write for each request. */
export async function touch(db: Db, hash: string, now: Date): Promise<void> {
  await db
    .updateTable('access_token')
    .set({ last_used_at: now })
    .where('hash', '=', hash)
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<', sql<Date>`${now}::timestamptz - interval '1 minute'`),
      ]),
    )
    .execute()
}
