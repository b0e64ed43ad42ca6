import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { publish } from '../../notifications/change-notifications.ts'
import type { AutomationTokenTable } from '../../schema/index.ts'

export type AutomationTokenRow = Omit<Selectable<AutomationTokenTable>, 'hash'>

const columns = [
  'id',
  'user_id',
  'name',
  'last_four',
  'scopes',
  'allow_ips',
  'created_at',
  'expires_at',
  'last_used_at',
] as const

export function listOf(db: Db, userId: number): Promise<AutomationTokenRow[]> {
  return db.selectFrom('automation_token').select(columns).where('user_id', '=', userId).orderBy('id', 'desc').execute()
}

export async function countOf(db: Db, userId: number): Promise<number> {
  const { total } = await db
    .selectFrom('automation_token')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return total
}

export function insert(db: Db, token: Insertable<AutomationTokenTable>): Promise<AutomationTokenRow> {
  return db.insertInto('automation_token').values(token).returning(columns).executeTakeFirstOrThrow()
}

/** Queried for each request, so that every node rejects a revoked token immediately. */
export function findByHash(db: Db, hash: string): Promise<AutomationTokenRow | undefined> {
  return db.selectFrom('automation_token').select(columns).where('hash', '=', hash).executeTakeFirst()
}

/**
 * Returns the name of the removed token; undefined when the user has no such token. Open event streams are checked
 * again.
 */
export async function remove(db: Db, userId: number, id: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('automation_token')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (row) await publish(db, { kind: 'session', userId })
  return row?.name
}

export async function removeAllOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('automation_token').where('user_id', '=', userId).execute()
}

/** Records the use of a token at most once a minute, to avoid a write for each request. */
export async function touch(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('automation_token')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<', sql<Date>`${now}::timestamptz - interval '1 minute'`),
      ]),
    )
    .execute()
}
