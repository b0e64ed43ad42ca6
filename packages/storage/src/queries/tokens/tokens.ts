import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { containsPattern } from '../../connection/values.ts'
import type { TokenTable } from '../../schema/index.ts'

export type TokenRow = Omit<Selectable<TokenTable>, 'drawn_quota'>

const columns = [
  'id',
  'user_id',
  'hash',
  'sealed_key',
  'hint',
  'status',
  'name',
  'created_at',
  'accessed_at',
  'expires_at',
  'used_quota',
  'unlimited_quota',
  'model_limits_enabled',
  'model_limits',
  'allow_ips',
  'group',
  'rate_limit_enabled',
  'rate_limit_period',
  'rate_limit_count',
  'rate_limit_success',
  'tokens_per_minute',
  'max_concurrency',
  'store_responses',
  'budget_period',
  'budget_quota',
  'budget_zone',
  'budget_resets_at',
  'deleted_at',
] as const satisfies readonly (keyof TokenTable)[]

/** The remaining quota of a token, including credit leases of gateways. */
const remaining = sql<number>`token.remain_quota + coalesce(
  (select sum(amount) from credit_lease where credit_lease.token_id = token.id), 0)::bigint`.as('remain_quota')

export function listOf(
  db: Db,
  userId: number,
  page: { limit: number; offset: number },
  keyword?: string,
): Promise<TokenRow[]> {
  return selectOwned(db, userId, keyword)
    .select(columns)
    .select(remaining)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export async function countOf(db: Db, userId: number, keyword?: string): Promise<number> {
  const { count } = await selectOwned(db, userId, keyword)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function findOf(db: Db, userId: number, id: number): Promise<TokenRow | undefined> {
  return selectOwned(db, userId).select(columns).select(remaining).where('id', '=', id).executeTakeFirst()
}

/** Tokens of a user that were not deleted, optionally by a part of the name (case-insensitive). */
function selectOwned(db: Db, userId: number, keyword?: string) {
  const query = db.selectFrom('token').where('user_id', '=', userId).where('deleted_at', 'is', null)
  if (keyword === undefined) return query
  return query.where('name', 'ilike', containsPattern(keyword))
}

/** Columns that the owner changes directly. Quota changes only through the ledger. */
export type TokenChange = Updateable<
  Pick<
    TokenTable,
    | 'name'
    | 'status'
    | 'expires_at'
    | 'model_limits_enabled'
    | 'model_limits'
    | 'allow_ips'
    | 'group'
    | 'rate_limit_enabled'
    | 'rate_limit_period'
    | 'rate_limit_count'
    | 'rate_limit_success'
    | 'tokens_per_minute'
    | 'max_concurrency'
    | 'store_responses'
  >
>

export async function change(db: Db, id: number, values: TokenChange): Promise<void> {
  if (Object.keys(values).length === 0) return
  await db.updateTable('token').set(values).where('id', '=', id).execute()
}

export async function insert(db: Db, token: Insertable<TokenTable>): Promise<number> {
  const { id } = await db.insertInto('token').values(token).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Soft delete. Returns the hash, so that caches can drop it. */
export async function remove(db: Db, userId: number, id: number, now: Date): Promise<string | undefined> {
  const removed = await db
    .updateTable('token')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return removed?.hash
}

/** Soft delete of all tokens of a user. */
export async function removeAllOf(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('token')
    .set({ deleted_at: now })
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** A token with its owner, for authentication of a request: one query on a cache miss. */
export function findCaller(db: Db, hash: string) {
  return selectCallers(db).where('token.hash', '=', hash).executeTakeFirst()
}

/** The hash that the caller of a token is found by. */
export async function findHash(db: Db, id: number): Promise<string | undefined> {
  const found = await db.selectFrom('token').select('hash').where('id', '=', id).executeTakeFirst()
  return found?.hash
}

/** Several callers in one query, with the hashes of their tokens. */
export function findCallers(db: Db, hashes: readonly string[]) {
  return selectCallers(db)
    .select('token.hash')
    .where(sql<boolean>`token.hash = any(${hashes})`)
    .execute()
}

function selectCallers(db: Db) {
  return db
    .selectFrom('token')
    .innerJoin('user', 'user.id', 'token.user_id')
    .select([
      'user.id as user_id',
      'user.username',
      'user.status as user_status',
      'user.role as user_role',
      'user.group as user_group',
      'user.quota as user_quota',
      'user.setting as user_setting',
      'token.id as token_id',
      'token.name as token_name',
      'token.hint',
      'token.status as token_status',
      'token.expires_at',
      'token.unlimited_quota',
      'token.model_limits_enabled',
      'token.model_limits',
      'token.allow_ips',
      'token.group as token_group',
      'token.rate_limit_enabled',
      'token.rate_limit_period',
      'token.rate_limit_count',
      'token.rate_limit_success',
      'token.tokens_per_minute',
      'token.max_concurrency',
      'token.store_responses',
      'token.budget_resets_at',
    ])
    .select(remaining)
    .where('token.deleted_at', 'is', null)
    .where('user.deleted_at', 'is', null)
}
