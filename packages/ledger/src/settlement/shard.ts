import { sql, type RawBuilder } from 'kysely'

/** Rows of sums over the whole site are kept apart by process up to this many: nobody waits for a hot row. */
const SHARDS = 16

export function shardOf(holder: string): RawBuilder<number> {
  return sql<number>`(abs(hashtext(${holder}) % ${SHARDS}))::smallint`
}
