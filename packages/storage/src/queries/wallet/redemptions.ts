import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { hasCode, UNIQUE_VIOLATION } from '../../connection/error-codes.ts'
import { prefixPattern } from '../../connection/values.ts'
import type { RedemptionTable } from '../../schema/index.ts'
import type { Vault } from '../../secrets/vault.ts'

export type RedemptionRow = Omit<Selectable<RedemptionTable>, 'deleted_at'>

const columns = [
  'id',
  'created_by',
  'key',
  'key_hash',
  'sealed_key',
  'status',
  'name',
  'quota',
  'is_gift',
  'max_uses',
  'used_count',
  'used_user_id',
  'valid_from',
  'valid_until',
  'created_at',
  'redeemed_at',
] as const satisfies readonly (keyof RedemptionTable)[]

/** Selects codes that were not removed. */
export interface RedemptionFilters {
  /** The start of a name, an ID or a complete code. */
  keyword?: string | undefined
  /** Possible stored hashes of the keyword, in case it is a code. */
  keyHashes?: readonly string[]
  name?: string
  status?: number | undefined
  /** Whether the validity of an unused code has ended. Used and disabled codes do not expire. */
  expired?: boolean | undefined
  ids?: readonly number[]
}

export function page(
  db: Db,
  choice: RedemptionFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<RedemptionRow[]> {
  return applyFilters(db, choice).select(columns).orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

export async function count(db: Db, choice: RedemptionFilters): Promise<number> {
  const { total } = await applyFilters(db, choice)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export function countByStatus(db: Db, choice: RedemptionFilters): Promise<{ status: number; count: number }[]> {
  return applyFilters(db, choice)
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
}

export function find(db: Db, id: number): Promise<RedemptionRow | undefined> {
  return applyFilters(db, { ids: [id] })
    .select(columns)
    .executeTakeFirst()
}

/** Locks a code against use and changes until the transaction ends. */
export function lock(transaction: Db, id: number): Promise<RedemptionRow | undefined> {
  return applyFilters(transaction, { ids: [id] })
    .select(columns)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The columns of a code: the hash for lookups, the sealed copy for administrators. */
export function sealKey(vault: Vault, key: string): { key: null; key_hash: string; sealed_key: string } {
  const key_hash = vault.keyedHash('redemption-code', key)
  return { key: null, key_hash, sealed_key: vault.seal('redemption-code', key_hash, key) }
}

/** Whether one of these codes exists, in plain text or hashed with another key of the ring. */
export async function isKeyTaken(
  db: Db,
  keys: readonly string[],
  hashesOf: (key: string) => readonly string[],
): Promise<boolean> {
  const found = await db
    .selectFrom('redemption')
    .select('id')
    .where((eb) => eb.or([eb('key_hash', 'in', keys.flatMap(hashesOf)), eb('key', 'in', keys)]))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Seals codes that earlier versions stored in plain text. Returns how many; 0 when no more can be sealed. A code that
 * exists twice, because a node of an earlier version created it again, stays as it is.
 */
export async function sealPlainKeys(db: Db, vault: Vault, limit = 500): Promise<number> {
  const rows = await db
    .selectFrom('redemption')
    .select(['id', 'key'])
    .where('key', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  let sealed = 0
  for (const { id, key } of rows) {
    const update = db.updateTable('redemption').set(sealKey(vault, key!)).where('id', '=', id).where('key', '=', key)
    sealed += await update.executeTakeFirst().then(
      ({ numUpdatedRows }) => Number(numUpdatedRows),
      (error: unknown) => (hasCode(error, UNIQUE_VIOLATION) ? 0 : Promise.reject(error)),
    )
  }
  return sealed
}

/** Adds all codes or none; undefined when one of them exists, even as a removed code. */
export async function insert(db: Db, rows: Insertable<RedemptionTable>[]): Promise<number[] | undefined> {
  try {
    const inserted = await db.insertInto('redemption').values(rows).returning('id').execute()
    return inserted.map(({ id }) => id)
  } catch (error) {
    if (hasCode(error, UNIQUE_VIOLATION)) return undefined
    throw error
  }
}

export async function update(
  db: Db,
  id: number,
  values: Updateable<Omit<RedemptionTable, 'id' | 'key' | 'deleted_at'>>,
): Promise<RedemptionRow> {
  return db.updateTable('redemption').set(values).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
}

/** Changes the status of codes that have the status `from`, and returns their IDs. */
export async function setStatus(
  db: Db,
  ids: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<number[]> {
  const rows = await db
    .updateTable('redemption')
    .set({ status: to })
    .where('id', 'in', ids)
    .where('status', '=', from)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Soft delete. Returns how many were removed. Ledger entries stay. */
export async function remove(db: Db, choice: RedemptionFilters, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('redemption')
    .set({ deleted_at: now })
    .where('id', 'in', applyFilters(db, choice).select('id'))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const UNUSED = 1

function applyFilters(db: Db, { keyword, keyHashes = [], name, status, expired, ids }: RedemptionFilters) {
  let query = db.selectFrom('redemption').where('deleted_at', 'is', null)
  if (ids !== undefined) query = query.where('id', 'in', ids)
  if (name !== undefined) query = query.where('name', '=', name)
  if (status !== undefined) query = query.where('status', '=', status)
  if (expired === true) query = query.where('status', '=', UNUSED).where('valid_until', '<=', sql<Date>`now()`)
  if (expired === false) {
    query = query.where((eb) =>
      eb.or([eb('status', '!=', UNUSED), eb('valid_until', 'is', null), eb('valid_until', '>', sql<Date>`now()`)]),
    )
  }
  if (keyword === undefined) return query
  const pattern = prefixPattern(keyword)
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  return query.where((eb) =>
    eb.or([
      eb('name', 'like', pattern),
      eb('key', '=', keyword),
      eb('key_hash', '=', eb.fn.any(eb.val([...keyHashes]))),
      ...(id === undefined ? [] : [eb('id', '=', id)]),
    ]),
  )
}
