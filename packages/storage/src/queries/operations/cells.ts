import { DEFAULT_CELL, lowestId } from '@tidegate/contract'
import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** The database belongs to another cell, or has IDs of another one. */
export class CellMismatch extends Error {
  override readonly name = 'CellMismatch'
}

/**
 * Records the cell of this database, once, and starts the IDs of its accounts in the range of the cell. Throws if the
 * database belongs to another cell.
 */
export async function claimOwn(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows: claimed = 0n } = await transaction
      .insertInto('cell')
      .values({ id, is_own: true })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    const own = await transaction.selectFrom('cell').select('id').where('is_own', '=', true).executeTakeFirst()
    if (own?.id !== id) {
      throw new CellMismatch(
        `TIDEGATE_CELL is ${id}, but the database belongs to cell ${own?.id ?? 'none'}. Set the cell of the database.`,
      )
    }
    if (claimed > 0n && id !== DEFAULT_CELL) await startIds(transaction, lowestId(id))
  })
}

/**
 * IDs of accounts and of what they own are unique among all cells. Channels belong to the catalog, which all cells
 * share, and log rows are named by request ID. The value counts as used, so that backups contain it.
 */
async function startIds(db: Db, lowest: number): Promise<void> {
  const user = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  if (user) {
    throw new CellMismatch(`A database with users keeps the cell ${DEFAULT_CELL}, because of their IDs.`)
  }
  await sql`
    select setval(pg_get_serial_sequence(format('%I.%I', id.table_schema, id.table_name), 'id'), ${lowest})
    from information_schema.columns id
    where id.table_schema = current_schema() and id.column_name = 'id' and id.is_identity = 'YES'
      and id.table_name <> 'usage_log' and (id.table_name = 'user' or exists (
        select from information_schema.columns owner where owner.table_schema = id.table_schema
          and owner.table_name = id.table_name and owner.column_name = 'user_id'))`.execute(db)
}
