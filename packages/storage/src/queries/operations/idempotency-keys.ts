import type { Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { IdempotencyKeyTable } from '../../schema/index.ts'

/** A key and its owner. */
export interface IdempotencyKey {
  user_id: number
  key: string
}

export type IdempotencyRow = Pick<Selectable<IdempotencyKeyTable>, 'request_hash' | 'sealed_answer' | 'created_at'>

/** `standing` is undefined when the request that held the key has just released it. */
export type Claim = { claimed: true } | { claimed: false; standing: IdempotencyRow | undefined }

/**
 * One of several concurrent requests gets the key; the others get the existing row. A key older than `forgottenBefore`
 * is free.
 */
export async function claim(
  db: Db,
  request: IdempotencyKey & { request_hash: string; created_at: Date },
  forgottenBefore: Date,
): Promise<Claim> {
  const fresh = { request_hash: request.request_hash, created_at: request.created_at, sealed_answer: null }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency_key')
    .values({ ...request, sealed_answer: null })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key']).doUpdateSet(fresh).where('idempotency_key.created_at', '<', forgottenBefore),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n ? { claimed: true } : { claimed: false, standing: await find(db, request) }
}

function find(db: Db, { user_id, key }: IdempotencyKey): Promise<IdempotencyRow | undefined> {
  return db
    .selectFrom('idempotency_key')
    .select(['request_hash', 'sealed_answer', 'created_at'])
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function storeResponse(db: Db, { user_id, key }: IdempotencyKey, sealedResponse: string): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ sealed_answer: sealedResponse })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .execute()
}

/** Frees the key of a request that did not complete. */
export async function release(db: Db, { user_id, key }: IdempotencyKey): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('sealed_answer', 'is', null)
    .execute()
}

export async function removeBefore(db: Db, than: Date): Promise<void> {
  await db.deleteFrom('idempotency_key').where('created_at', '<', than).execute()
}
