import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** One row: the last migration that a build must have to serve this schema. Older builds refuse to start. */
export const schemaCompatibility: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`create table schema_compatibility (oldest_build text not null)`).execute(db)
    await setOldestBuild(db, '0031-schema-compatibility')
  },
}

/**
 * Called by each migration that a build with the migration before it cannot work with: one that drops, renames or narrows
 * something, or changes what stored values mean.
 */
export async function setOldestBuild<Tables>(db: Kysely<Tables>, migration: string): Promise<void> {
  await sql`delete from schema_compatibility`.execute(db)
  await sql`insert into schema_compatibility (oldest_build) values (${migration})`.execute(db)
}
