import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which row here each row of another product became, so that moving in twice moves nothing twice. */
export const imports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(importedRow).execute(db)
  },
}

const importedRow = `
  create table imported_row (
    source text not null,
    kind text not null,
    source_id text not null,
    target_id bigint not null,
    imported_at timestamptz not null default now(),
    primary key (source, kind, source_id)
  );
`
