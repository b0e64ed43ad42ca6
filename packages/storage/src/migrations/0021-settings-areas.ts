import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which areas of the settings an administrator may change; granted by the super admin. */
export const settingsAreas: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table "user" add column settings_areas text[] not null default '{}'`.execute(db)
  },
}
