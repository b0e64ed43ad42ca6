import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { publish } from '../../notifications/change-notifications.ts'
import type { SessionTable } from '../../schema/index.ts'

export type SessionRow = Selectable<SessionTable>

const columns = [
  'id_hash',
  'user_id',
  'created_at',
  'last_seen_at',
  'expires_at',
  'client_ip',
  'user_agent',
  'proved_at',
  'factor_at',
] as const satisfies readonly (keyof SessionTable)[]

/** Which sessions are valid. Stricter site settings also end open sessions. */
export interface SessionLimits {
  now: Date
  /** Sessions created earlier have ended. */
  createdAfter: Date
  /** Sessions without a request since then have ended; null when idle sessions do not end. */
  seenAfter: Date | null
}

/** A condition on a row of `session`. */
export function isValid({ now, createdAfter, seenAfter }: SessionLimits): RawBuilder<SqlBool> {
  return sql<SqlBool>`(session.expires_at > ${now}::timestamptz and session.created_at > ${createdAfter}::timestamptz
    and (${seenAfter}::timestamptz is null or session.last_seen_at > ${seenAfter}::timestamptz))`
}

/** Valid sessions, last used first. */
export function listOf(db: Db, userId: number, limits: SessionLimits): Promise<SessionRow[]> {
  return db
    .selectFrom('session')
    .select(columns)
    .where('user_id', '=', userId)
    .where(isValid(limits))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id_hash')
    .execute()
}

/**
 * The times of the last re-authentication and of the last one with a second factor; undefined when the session ended.
 */
export function findReauthentication(
  db: Db,
  idHash: string,
): Promise<Pick<SessionRow, 'proved_at' | 'factor_at'> | undefined> {
  return db.selectFrom('session').select(['proved_at', 'factor_at']).where('id_hash', '=', idHash).executeTakeFirst()
}

/** False when the session has ended. */
export async function markReauthenticated(
  db: Db,
  idHash: string,
  now: Date,
  by: 'password' | 'factor',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ proved_at: now, ...(by === 'factor' && { factor_at: now }) })
    .where('id_hash', '=', idHash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type NewSession = Pick<
  SessionRow,
  'id_hash' | 'user_id' | 'created_at' | 'expires_at' | 'client_ip' | 'user_agent' | 'proved_at' | 'factor_at'
>

/**
 * Creates a session. False when the user is banned or deleted, or when the password changed since it was checked. The
 * lock on the user row orders this and a change that ends sessions, so that the second sees the first.
 */
export async function insertIfAllowed(db: Db, session: NewSession, passwordHash?: string | null): Promise<boolean> {
  const samePassword =
    passwordHash === undefined ? sql`true` : sql`password_hash is not distinct from ${passwordHash}::text`
  const { numAffectedRows } = await sql`
    insert into session
      (id_hash, user_id, created_at, last_seen_at, expires_at, client_ip, user_agent, proved_at, factor_at)
    select ${session.id_hash}, id, ${session.created_at}::timestamptz, ${session.created_at}::timestamptz,
      ${session.expires_at}::timestamptz, ${session.client_ip}, ${session.user_agent},
      ${session.proved_at}::timestamptz, ${session.factor_at}::timestamptz
    from "user"
    where id = ${session.user_id} and status = 1 and deleted_at is null and ${samePassword}
    for share`.execute(db)
  return numAffectedRows === 1n
}

/** Records the use of a session at most once a minute, to avoid a write for each request. */
export async function touch(db: Db, idHash: string, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('id_hash', '=', idHash)
    .where('last_seen_at', '<', sql<Date>`${now}::timestamptz - interval '1 minute'`)
    .execute()
}

export async function remove(db: Db, idHash: string): Promise<void> {
  const removed = await db.deleteFrom('session').where('id_hash', '=', idHash).returning('user_id').executeTakeFirst()
  if (removed) await publish(db, { kind: 'session', userId: removed.user_id })
}

/** Ends the session of a user by the start of its ID hash, and returns the hash. */
export async function removeByHandle(db: Db, userId: number, handle: string): Promise<string | undefined> {
  const removed = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where(sql`left(id_hash, ${handle.length}::integer)`, '=', handle)
    .returning('id_hash')
    .executeTakeFirst()
  if (removed) await publish(db, { kind: 'session', userId })
  return removed?.id_hash
}

export async function removeAllOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', userId).execute()
  await publish(db, { kind: 'session', userId })
}

/** Also removes sessions that only the site settings ended, so that a later change cannot restore them. */
export async function removeExpired(db: Db, limits: SessionLimits): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where(sql<SqlBool>`not ${isValid(limits)}`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
