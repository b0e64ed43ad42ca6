import { sql } from 'kysely'
import type { Db } from '../connection/connect.ts'
import type { Vault } from './vault.ts'
import type { StoredPurpose } from './purposes.ts'
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts'

/** The number of values of one purpose that a key seals. */
export interface SealedCount {
  purpose: StoredPurpose
  keyId: number
  count: number
}

const PURPOSES = Object.keys(SEALED_COLUMNS) as StoredPurpose[]

export async function countSealed(db: Db): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const purpose of PURPOSES) {
    const { table, value } = SEALED_COLUMNS[purpose]
    const { rows } = await sql<Omit<SealedCount, 'purpose'>>`
      select substring(sealed_value from '^v(\\d{1,9})\\.')::integer as "keyId", count(*)::integer as count
      from (select ${sql.raw(value)} as sealed_value from ${sql.raw(table)} t) values_of_table
      where sealed_value like 'v%' group by 1 order by 1
    `.execute(db)
    counts.push(...rows.map((row) => ({ purpose, ...row })))
  }
  return counts
}

/** No key has this ID, so every value is read. */
const NO_KEY = 'v0.'

/**
 * Whether this vault has the first key of the site: it opens one of its values, or there are none. Without rows in the
 * key table, any root key would be accepted as the first key.
 */
export async function opensFirstKey(db: Db, vault: Pick<Vault, 'open'>): Promise<boolean> {
  let found = 0
  for (const purpose of PURPOSES) {
    const rows = await readBatch(db, SEALED_COLUMNS[purpose], { notBeginning: NO_KEY, after: undefined, limit: 5 })
    const values = rows.filter(({ value }) => value.startsWith('v1.'))
    found += values.length
    if (values.some(({ value, context }) => canOpen(vault, purpose, context, value))) return true
  }
  return found === 0
}

function canOpen(vault: Pick<Vault, 'open'>, purpose: StoredPurpose, context: string, value: string): boolean {
  try {
    vault.open(purpose, context, value)
    return true
  } catch {
    return false
  }
}

export interface ResealProgress {
  purpose: StoredPurpose
  /** Values resealed in this batch. */
  resealed: number
}

export interface ResealOptions {
  batchSize?: number
  onProgress?: (progress: ResealProgress) => void
}

/** Values that cannot be opened are left as they are. */
export interface ResealResult {
  resealed: number
  unreadable: { purpose: StoredPurpose; context: string }[]
}

/**
 * Reseals all values with the active key, in batches, while the site is running. A value that changes meanwhile keeps
 * its change. After an interruption, the next call continues.
 */
export async function resealAll(db: Db, vault: Vault, options: ResealOptions = {}): Promise<ResealResult> {
  const result: ResealResult = { resealed: 0, unreadable: [] }
  for (const purpose of PURPOSES) {
    let after: string[] | undefined
    do {
      const rows = await readBatch(db, SEALED_COLUMNS[purpose], {
        notBeginning: `v${vault.ring.activeId()}.`,
        after,
        limit: options.batchSize ?? SEALED_COLUMNS[purpose].batchSize ?? 500,
      })
      const { changes, unreadable } = resealRows(vault, purpose, rows)
      const resealed = await writeBatch(db, SEALED_COLUMNS[purpose], changes)
      result.resealed += resealed
      result.unreadable.push(...unreadable.map((context) => ({ purpose, context })))
      options.onProgress?.({ purpose, resealed })
      after = rows.at(-1)?.key
    } while (after !== undefined)
  }
  return result
}

interface SealedRow {
  key: string[]
  value: string
  context: string
}

async function readBatch(
  db: Db,
  { table, key, value, context }: SealedColumn,
  { notBeginning, after, limit }: { notBeginning: string; after: string[] | undefined; limit: number },
): Promise<SealedRow[]> {
  const columns = sql.join(Object.keys(key).map((name) => sql.ref(`t.${name}`)))
  const isLater = after
    ? sql`(${columns}) > (${sql.join(Object.values(key).map((type, index) => sql`${after[index]}::${sql.raw(type)}`))})`
    : sql`true`
  const { rows } = await sql<SealedRow>`
    select array[${sql.join(Object.keys(key).map((name) => sql`${sql.ref(`t.${name}`)}::text`))}] as key,
      ${sql.raw(value)} as value, ${sql.raw(context)} as context
    from ${sql.raw(table)} t
    where ${isLater} and ${sql.raw(value)} <> '' and not starts_with(${sql.raw(value)}, ${notBeginning})
    order by ${columns} limit ${limit}
  `.execute(db)
  return rows
}

interface ResealedValue {
  key: string[]
  from: string
  sealed: string
  hash: string
}

function resealRows(
  vault: Vault,
  purpose: StoredPurpose,
  rows: readonly SealedRow[],
): { changes: ResealedValue[]; unreadable: string[] } {
  const { hash } = SEALED_COLUMNS[purpose]
  const unreadable: string[] = []
  const changes = rows.flatMap(({ key, value, context }) => {
    try {
      const plain = vault.open(purpose, context, value)
      const newContext = hash ? vault.keyedHash(hash.purpose, plain) : context
      return [{ key, from: value, sealed: vault.seal(purpose, newContext, plain), hash: newContext }]
    } catch {
      unreadable.push(context)
      return []
    }
  })
  return { changes, unreadable }
}

async function writeBatch(
  db: Db,
  { table, key, value, set }: SealedColumn,
  changes: readonly ResealedValue[],
): Promise<number> {
  if (changes.length === 0) return 0
  const types = Object.values(key)
  const keys = types.map((type, index) => sql`${changes.map((change) => change.key[index])}::${sql.raw(type)}[]`)
  const names = types.map((_, index) => sql.ref(`k${index}`))
  const isSameRow = Object.keys(key).map((name, index) => sql`t.${sql.ref(name)} = v.${sql.ref(`k${index}`)}`)
  const { numAffectedRows } = await sql`
    update ${sql.raw(table)} t set ${sql.raw(set)}
    from unnest(${sql.join(keys)}, ${changes.map(({ from }) => from)}::text[], ${changes.map(({ sealed }) => sealed)}::text[],
      ${changes.map(({ hash }) => hash)}::text[]) as v(${sql.join(names)}, former, sealed, hash)
    where ${sql.join(isSameRow, sql` and `)} and ${sql.raw(value)} = v.former
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
