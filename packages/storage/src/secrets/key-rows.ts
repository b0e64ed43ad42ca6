import { sql } from 'kysely'
import { touchCatalog } from '../catalog/catalog-version.ts'
import type { Db } from '../connection/connect.ts'
import { hasCode, UNDEFINED_TABLE } from '../connection/error-codes.ts'
import type { Vault } from './vault.ts'
import type { KeyRows, KeyState, WrappedKey } from './key-ring.ts'
import { countSealed, opensFirstKey } from './reseal.ts'

/** A step of a rotation is not possible now. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

type RingVault = Pick<Vault, 'ring' | 'open'>

/** One statement, so that version and keys are consistent. */
export async function readKeyRows(db: Db): Promise<KeyRows> {
  const rows = await db
    .selectFrom('catalog_version')
    .leftJoin('secret_key', (join) => join.onTrue())
    .select(['catalog_version.version', 'secret_key.id', 'secret_key.state', 'secret_key.wrapped'])
    .orderBy('secret_key.id')
    .execute()
  const keys = rows.flatMap(({ id, state, wrapped }) =>
    id === null || state === null || wrapped === null ? [] : [{ id, state, wrapped }],
  )
  return { version: rows[0]?.version ?? 0, keys }
}

const readWrappedKeys = async (db: Db) => (await readKeyRows(db)).keys

/** Loads the key ring of this process. A database without the table has no keys yet. */
export async function loadKeyRing(db: Db, vault: RingVault): Promise<void> {
  const rows = await readKeyRows(db).catch((error: unknown) => {
    if (hasCode(error, UNDEFINED_TABLE)) return { version: 0, keys: [] }
    throw error
  })
  vault.ring.load(rows)
}

/** Adds a key that every node can open with after its next catalog reload, and that does not seal yet. */
export async function prepareKey(db: Db, vault: RingVault): Promise<number> {
  return changeKeys(db, vault, async (transaction) => {
    const rows = await readWrappedKeys(transaction)
    const prepared = rows.find(({ state }) => state === 'prepared')
    if (prepared) return prepared.id
    if (rows.length === 0) await storeFirstKey(transaction, vault)
    const id = Math.max(FIRST_ID, ...rows.map((row) => row.id)) + 1
    await upsertKey(transaction, vault.ring.wrapNew(id))
    return id
  })
}

/**
 * Stores the first key when a site starts for the first time. From then on, a process with another root key does not
 * start: it would reject every API token and store secrets that no other process can read.
 */
export async function registerRootKey(db: Db, vault: RingVault): Promise<void> {
  if ((await readWrappedKeys(db)).length > 0) return
  await changeKeys(db, vault, async (transaction) => {
    if ((await readWrappedKeys(transaction)).length === 0) await storeFirstKey(transaction, vault)
  })
}

const FIRST_ID = 1

async function storeFirstKey(transaction: Db, vault: RingVault): Promise<void> {
  if (!(await opensFirstKey(transaction, vault))) {
    throw new SecretKeyError(
      'This root key does not open the secrets of the site: give the root key that the site runs with ' +
        '(TIDEGATE_SECRET, its file or command, or secret.key), and an earlier one in TIDEGATE_SECRET_PREVIOUS.',
    )
  }
  await upsertKey(transaction, vault.ring.wrapFirst())
}

/** Makes a prepared key the active one. The previous key still opens. Does nothing when the key is active already. */
export async function activateKey(db: Db, vault: RingVault, id: number): Promise<void> {
  await changeKeys(db, vault, async (transaction) => {
    const rows = await readWrappedKeys(transaction)
    const next = rows.find((row) => row.id === id)
    if (next?.state === 'active') return
    if (next?.state !== 'prepared') throw new SecretKeyError(`Key ${id} is not prepared.`)
    for (const row of rows) if (row.state === 'active') await upsertKey(transaction, vault.ring.wrapAs(row, 'old'))
    await upsertKey(transaction, vault.ring.wrapAs(next, 'active'))
  })
}

/** Retires an old key. Fails while a rotation is incomplete or the key still encrypts a value. */
export async function retireKey(db: Db, vault: RingVault, id: number): Promise<void> {
  await changeKeys(db, vault, async (transaction) => {
    const key = (await readWrappedKeys(transaction)).find((row) => row.id === id)
    if (key?.state !== 'old') throw new SecretKeyError(retireError(id, key?.state))
    const { completed_at } = await transaction
      .selectFrom('secret_key')
      .select('completed_at')
      .where('state', '=', 'active')
      .executeTakeFirstOrThrow()
    if (!completed_at)
      throw new SecretKeyError('The rotation is not complete: run "tidegate secrets rotate" to finish.')
    const left = (await countSealed(transaction)).filter(({ keyId, count }) => keyId === id && count > 0)
    if (left.length > 0) {
      const what = left.map(({ purpose, count }) => `${count} ${purpose}`).join(', ')
      throw new SecretKeyError(`Key ${id} still encrypts ${what}: run "tidegate secrets rotate" to finish.`)
    }
    await upsertKey(transaction, vault.ring.wrapAs(key, 'retired'))
  })
}

function retireError(id: number, state: KeyState | undefined): string {
  if (state === 'active') return `Key ${id} is in use: rotate first.`
  if (state === 'retired') return `Key ${id} is retired already.`
  return `There is no key ${id} to retire.`
}

/**
 * Wraps every key with the current root key, after which the previous one is not needed. Prepared keys are dropped,
 * because the previous root key may have revealed them. Returns the number of keys.
 */
export async function rewrapKeys(db: Db, vault: RingVault): Promise<number> {
  return changeKeys(db, vault, async (transaction) => {
    const rows = await readWrappedKeys(transaction)
    if (rows.length === 0) await storeFirstKey(transaction, vault)
    await transaction.deleteFrom('secret_key').where('state', '=', 'prepared').execute()
    const remaining = rows.filter(({ state }) => state !== 'prepared')
    for (const row of remaining) await upsertKey(transaction, vault.ring.wrapAs(row, row.state))
    await transaction
      .updateTable('secret_key')
      .set({ completed_at: sql`now()` })
      .where('state', '=', 'active')
      .execute()
    return Math.max(remaining.length, 1)
  })
}

/** Serializes changes. Every node reloads the keys with the catalog. */
async function changeKeys<Result>(
  db: Db,
  vault: RingVault,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  const result = await db.transaction().execute(async (transaction) => {
    await touchCatalog(transaction) // its row lock serializes changes
    vault.ring.load(await readKeyRows(transaction))
    return work(transaction)
  })
  await loadKeyRing(db, vault)
  return result
}

async function upsertKey(transaction: Db, key: WrappedKey): Promise<void> {
  await transaction
    .insertInto('secret_key')
    .values(key)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ state: key.state, wrapped: key.wrapped, changed_at: sql`now()` }),
    )
    .execute()
}
