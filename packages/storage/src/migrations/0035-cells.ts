import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The cells of the site. Exactly one of them is the cell of this database. */
export const cells: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  create table cell (
    id text primary key check (id ~ '^[0-9a-hjkmnp-tv-z]{2}$'),
    name text not null default '',
    url text not null default '',
    state text not null default 'serving' check (state in ('serving', 'draining')),
    is_own boolean not null default false
  );
  create unique index cell_own on cell (is_own) where is_own;
`
