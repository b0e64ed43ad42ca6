import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../connect.ts'
import type { UserTable } from '../schema/index.ts'

export type UserRow = Selectable<UserTable>

const columns = [
  'user.id',
  'user.username',
  'user.password_hash',
  'user.display_name',
  'user.role',
  'user.status',
  'user.group',
  'user.email',
  'user.quota',
  'user.used_quota',
  'user.request_count',
  'user.aff_code',
  'user.aff_count',
  'user.aff_quota',
  'user.aff_history_quota',
  'user.inviter_id',
  'user.setting',
  'user.last_check_in_at',
  'user.created_at',
  'user.deleted_at',
] as const

/** What a user has: the balance, and what processes hold of it ready to spend. */
export async function spendable(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ quota: number }>`
    select u.quota + coalesce(sum(l.amount), 0)::bigint as quota
    from "user" u left join credit_lease l on l.user_id = u.id and l.token_id = 0
    where u.id = ${id} group by u.quota`.execute(db)
  return rows[0]?.quota ?? 0
}

export function findById(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('user').select(columns).where('id', '=', id).executeTakeFirst()
}

/** A live user by name or by email, both without regard to case. */
export function findForLogin(db: Db, nameOrEmail: string): Promise<UserRow | undefined> {
  const wanted = nameOrEmail.toLowerCase()
  return db
    .selectFrom('user')
    .select(columns)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(sql`lower(username)`, '=', wanted),
        eb.and([eb(sql`lower(email)`, '=', wanted), eb('email', '<>', '')]),
      ]),
    )
    .executeTakeFirst()
}

/** The user an active session belongs to. */
export function findBySession(db: Db, sessionHash: string, now: Date): Promise<UserRow | undefined> {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(columns)
    .where('session.id_hash', '=', sessionHash)
    .where('session.expires_at', '>', now)
    .executeTakeFirst()
}

export function findByAccessToken(db: Db, hash: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('access_token')
    .innerJoin('user', 'user.id', 'access_token.user_id')
    .select(columns)
    .where('access_token.hash', '=', hash)
    .executeTakeFirst()
}

export function findRoot(db: Db): Promise<{ id: number } | undefined> {
  return db.selectFrom('user').select('id').where('role', '=', 100).where('deleted_at', 'is', null).executeTakeFirst()
}

export async function insert(db: Db, user: Insertable<UserTable>): Promise<number> {
  const { id } = await db.insertInto('user').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

/** External accounts bound to a user, by provider. */
export async function identitiesOf(db: Db, userId: number): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('identity').select(['provider', 'subject']).where('user_id', '=', userId).execute()
  return new Map(rows.map(({ provider, subject }) => [provider, subject]))
}

export async function setPasswordHash(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db.updateTable('user').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}
