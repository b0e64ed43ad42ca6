import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { UserTable } from '../../schema/index.ts'
import { isValid, type SessionLimits } from './sessions.ts'

/** The columns that most operations read. Each of the two others is used by one background job. */
export type UserRow = Omit<Selectable<UserTable>, 'low_balance_since' | 'anonymised_at'>

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
  'user.settings_areas',
] as const

/** The balance of a user, including credit leases of gateways. */
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

/** Also finds deregistered users, because their rows are still queried. */
/** IDs of the users with these names, deleted ones included. */
export async function findIdsByNames(db: Db, usernames: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from "user" where lower(username) = any(${usernames.map((name) => name.toLowerCase())})
      and username = any(${usernames})`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findIdByName(db: Db, username: string): Promise<number | undefined> {
  const user = await db
    .selectFrom('user')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase()) // the index is on lower-case names
    .where('username', '=', username)
    .orderBy('deleted_at', (order) => order.asc().nullsFirst())
    .executeTakeFirst()
  return user?.id
}

/** An active user by name or email, both case-insensitive. */
export function findForLogin(db: Db, nameOrEmail: string): Promise<UserRow | undefined> {
  const lowerCase = nameOrEmail.toLowerCase()
  return db
    .selectFrom('user')
    .select(columns)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(sql`lower(username)`, '=', lowerCase),
        eb.and([eb(sql`lower(email)`, '=', lowerCase), eb('email', '<>', '')]),
      ]),
    )
    .executeTakeFirst()
}

/** The user of a valid session. */
export function findBySession(db: Db, sessionHash: string, limits: SessionLimits): Promise<UserRow | undefined> {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(columns)
    .where('session.id_hash', '=', sessionHash)
    .where(isValid(limits))
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

/** Creates a user; undefined when the name or the invite code is taken. Waits for concurrent transactions. */
export async function insertIfFree(db: Db, user: Insertable<UserTable>): Promise<number | undefined> {
  const row = await db
    .insertInto('user')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Locks the row of a user until the transaction ends. Foreign keys do not wait for it. */
export function lock(transaction: Db, id: number): Promise<UserRow | undefined> {
  return transaction.selectFrom('user').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Columns that the administration changes directly. Balances change only through the ledger. */
export type UserChange = Updateable<
  Pick<
    UserTable,
    'username' | 'password_hash' | 'display_name' | 'role' | 'status' | 'group' | 'deleted_at' | 'settings_areas'
  >
>

export async function change(db: Db, id: number, values: UserChange): Promise<void> {
  if (Object.keys(values).length === 0) return
  await db.updateTable('user').set(values).where('id', '=', id).execute()
}

/** Sets and removes fields of a user's settings in one statement. Other fields stay. */
export async function mergeSetting(
  db: Db,
  id: number,
  { put, drop }: { put: Record<string, unknown>; drop: readonly string[] },
): Promise<void> {
  await db
    .updateTable('user')
    .set({ setting: sql`(setting - ${[...drop]}::text[]) || ${jsonText(put)}::jsonb` })
    .where('id', '=', id)
    .execute()
}

/** Returns the invite code. A user without one gets `fresh`. */
export async function ensureInviteCode(db: Db, id: number, fresh: string): Promise<string> {
  const read = () => db.selectFrom('user').select('aff_code').where('id', '=', id).executeTakeFirstOrThrow()
  const { aff_code } = await read()
  if (aff_code !== '') return aff_code
  await db.updateTable('user').set({ aff_code: fresh }).where('id', '=', id).where('aff_code', '=', '').execute()
  return (await read()).aff_code
}

/** Sets the inviters of many users in one statement. */
export async function setInviters(db: Db, invited: readonly { id: number; inviter_id: number }[]): Promise<void> {
  await sql`
    update "user" set inviter_id = invited.inviter_id
    from jsonb_to_recordset(${jsonText(invited)}::jsonb) as invited (id bigint, inviter_id bigint)
    where "user".id = invited.id`.execute(db)
}

/** External accounts of a user, by provider. */
export async function identitiesOf(db: Db, userId: number): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('identity').select(['provider', 'subject']).where('user_id', '=', userId).execute()
  return new Map(rows.map(({ provider, subject }) => [provider, subject]))
}

export async function setPasswordHash(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db.updateTable('user').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}
