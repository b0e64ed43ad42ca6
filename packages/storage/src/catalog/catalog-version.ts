import { sql } from 'kysely'
import type { Db } from '../connection/connect.ts'
import { publish } from '../notifications/change-notifications.ts'

/**
 * Increments the catalog version, notifies every node and returns the new version. Call it in the transaction of the
 * change, so that version and notification take effect together with it.
 */
export async function touchCatalog(trx: Db): Promise<number> {
  const { version } = await trx
    .insertInto('catalog_version')
    .values({ id: 1, version: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ version: sql`catalog_version.version + 1`, updated_at: sql`now()` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  await publish(trx, { kind: 'catalog', version })
  return version
}

export async function readCatalogVersion(db: Db): Promise<number> {
  const row = await db.selectFrom('catalog_version').select('version').where('id', '=', 1).executeTakeFirst()
  return row?.version ?? 0
}
