import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { StoredResponseTable } from '../../schema/index.ts'

export type NewStoredResponse = Omit<Insertable<StoredResponseTable>, 'created_at'> & {
  created_at: Date
}
export type StoredResponseRow = Pick<
  Selectable<StoredResponseTable>,
  'id' | 'previous_id' | 'status' | 'sealed' | 'lease_until'
>

const contentColumns = ['id', 'previous_id', 'status', 'sealed', 'lease_until'] as const
const locationColumns = ['user_id', 'id', 'thread', 'status', 'channel_id', 'key_id', 'routed'] as const

/** Adds responses, or replaces those that were running in the background. Earlier turns are kept as long. */
export async function put(db: Db, rows: readonly NewStoredResponse[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('stored_response')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'id'])
        .doUpdateSet((eb) => ({
          status: eb.ref('excluded.status'),
          item_ids: eb.ref('excluded.item_ids'),
          sealed: eb.ref('excluded.sealed'),
          channel_id: eb.ref('excluded.channel_id'),
          key_id: eb.ref('excluded.key_id'),
          routed: eb.ref('excluded.routed'),
          lease_until: eb.ref('excluded.lease_until'),
        }))
        // What ends after it was cancelled stays cancelled.
        .where('stored_response.status', '<>', 'cancelled'),
    )
    .execute()
  for (const { user_id: userId, previous_id: previousId, expires_at: expiresAt } of rows) {
    if (previousId) await keepEarlier(db, userId, previousId, new Date(expiresAt))
  }
}

const DAY_MS = 86_400_000

/** A turn that ends at least a day before a later one is kept as long as that. Most need no change. */
async function keepEarlier(db: Db, userId: number, id: string, expiresAt: Date): Promise<void> {
  const soon = new Date(expiresAt.getTime() - DAY_MS)
  await sql`
    with recursive earlier as (
      select id, previous_id, 1 as depth from stored_response
      where user_id = ${userId} and id = ${id} and expires_at < ${soon}
      union all
      select r.id, r.previous_id, depth + 1 from stored_response r join earlier on r.id = earlier.previous_id
      where r.user_id = ${userId} and r.expires_at < ${soon} and depth < ${MAX_TURNS}
    )
    update stored_response r set expires_at = ${expiresAt} from earlier
    where r.user_id = ${userId} and r.id = earlier.id
  `.execute(db)
}

/** The response with an id: that of the user, else that of another one. */
export function locate(db: Db, userId: number, id: string) {
  return db
    .selectFrom('stored_response')
    .select(locationColumns)
    .where('id', '=', storableId(id))
    .orderBy(sql`user_id = ${userId}`, 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function find(db: Db, userId: number, id: string): Promise<StoredResponseRow | undefined> {
  return db
    .selectFrom('stored_response')
    .select(contentColumns)
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .executeTakeFirst()
}

/** Longer threads are cut: their first turns are missing. */
const MAX_TURNS = 2000

/** A response and the turns before it, the first one first. */
export async function findThread(db: Db, userId: number, id: string): Promise<StoredResponseRow[]> {
  const { rows } = await sql<StoredResponseRow>`
    with recursive thread as (
      select ${sql.join(contentColumns.map((name) => sql.ref(name)))}, 1 as depth from stored_response
      where user_id = ${userId} and id = ${storableId(id)}
      union all
      select ${sql.join(contentColumns.map((name) => sql.ref(`r.${name}`)))}, depth + 1
      from stored_response r join thread on r.id = thread.previous_id
      where r.user_id = ${userId} and depth < ${MAX_TURNS}
    )
    select * from thread order by depth desc
  `.execute(db)
  return rows
}

/** The newest responses with any of these items. */
export function findByItems(db: Db, userId: number, itemIds: readonly string[]) {
  return db
    .selectFrom('stored_response')
    .select([...locationColumns, 'sealed', 'item_ids'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`item_ids && ${itemIds.filter(isStorableId)}::text[]`)
    .orderBy('created_at', 'desc')
    .limit(itemIds.length)
    .execute()
}

const RUNNING = ['queued', 'in_progress']

/** Extends the leases of responses that run in the background. Returns those that were neither cancelled nor deleted. */
export async function renew(
  db: Db,
  running: readonly { readonly userId: number; readonly id: string }[],
  leaseUntil: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update stored_response r set status = 'in_progress', lease_until = ${leaseUntil}
    from unnest(${running.map(({ userId }) => userId)}::bigint[], ${running.map(({ id }) => id)}::text[]) as v(user_id, id)
    where r.user_id = v.user_id and r.id = v.id and r.status = any(${RUNNING})
    returning r.id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Cancels a response that runs in the background; nothing happens to any other. */
export async function cancel(db: Db, userId: number, id: string): Promise<void> {
  await db
    .updateTable('stored_response')
    .set({ status: 'cancelled', lease_until: null })
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .where('status', 'in', RUNNING)
    .execute()
}

/** Whether there was one. */
export async function remove(db: Db, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('stored_response')
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends what would be kept for longer than the current retention. */
export async function shortenRetention(db: Db, latest: Date): Promise<void> {
  await db.updateTable('stored_response').set({ expires_at: latest }).where('expires_at', '>', latest).execute()
}

/** Removes at most `limit` expired rows and returns their number. */
export async function removeExpired(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from stored_response where (user_id, id) in (
      select user_id, id from stored_response where expires_at <= ${now} limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}

/** PostgreSQL rejects NUL in text, so nothing has such an id. */
function isStorableId(id: string): boolean {
  return !id.includes('\0')
}

/** An id that clients sent, for a comparison. No row has an empty id. */
export function storableId(id: string): string {
  return isStorableId(id) ? id : ''
}
