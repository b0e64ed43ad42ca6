import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Requests that an account could not pay in full are few among very many. */
export const uncoveredIndex: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index usage_log_uncovered on usage_log (created_at, id) where other ? 'uncovered'`.execute(db)
  },
}
