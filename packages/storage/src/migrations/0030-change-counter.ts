import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Raised with each change notification, for processes that receive none. Owned by a column, so that it is dropped with
 * the tables.
 */
export const changeCounter: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`create sequence change_counter owned by catalog_version.version`).execute(db)
  },
}
