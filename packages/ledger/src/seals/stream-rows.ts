import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@tidegate/storage'

const ROWS_AT_ONCE = 5_000
let cursors = 0

/**
 * Reads a result of any size in constant memory. Needs a transaction; the query may not have parameters, because a cursor
 * takes none.
 */
export async function* streamRows<Row>(transaction: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const name = sql.raw(`tidegate_rows_${++cursors}`)
  // All rows are read, so the plan with the lowest total cost wins, not the one with the first row soonest.
  await sql`set local cursor_tuple_fraction = 1`.execute(transaction)
  await sql`declare ${name} no scroll cursor for ${query}`.execute(transaction)
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(ROWS_AT_ONCE)} from ${name}`.execute(transaction)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) break
  }
  await sql`close ${name}`.execute(transaction)
}
