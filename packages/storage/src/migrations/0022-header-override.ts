import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Headers that a channel adds to its upstream requests or replaces. */
export const headerOverride: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table channel add column header_override text not null default ''`.execute(db)
  },
}
