import { sql, type RawBuilder } from 'kysely'

/** One text for many rows: a parameter for each value would cost more than the rows themselves. */
export function json(rows: readonly object[]): RawBuilder<string> {
  // The database takes no zero character in a text, and a client's model name may hold one.
  return sql`${JSON.stringify(rows).replaceAll('\\u0000', '')}::json`
}
