import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface StoredOption {
  key: string
  value: string
  sealed: boolean
}

export async function put(db: Db, option: StoredOption, actorId: number | null): Promise<void> {
  await db
    .insertInto('option')
    .values({ ...option, updated_by: actorId })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ value: option.value, sealed: option.sealed, updated_by: actorId, updated_at: sql`now()` }),
    )
    .execute()
}

/** Stores an option unless it has a value. */
export async function putNew(db: Db, option: StoredOption): Promise<void> {
  await db
    .insertInto('option')
    .values({ ...option, updated_by: null })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
