import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Data keys wrapped by the root key, and redemption codes as keyed hash and sealed copy. */
export const keyRing: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statements of [keys, redemptionCodes]) await sql.raw(statements).execute(db)
  },
}

const keys = `
  create table secret_key (
    id integer primary key,
    state text not null check (state in ('prepared', 'active', 'old', 'retired')),
    wrapped text not null,
    created_at timestamptz not null default now(),
    changed_at timestamptz not null default now(),
    completed_at timestamptz
  );
  create unique index secret_key_active on secret_key (state) where state = 'active';
`

/** The worker seals the codes that exist: SQL does not have the key. Until then they are found by their plain text. */
const redemptionCodes = `
  alter table redemption alter column key drop not null;
  alter table redemption add column key_hash text unique, add column sealed_key text;
  alter table redemption add constraint redemption_has_key check (key is not null or (key_hash is not null and sealed_key is not null)) not valid;
  alter table redemption validate constraint redemption_has_key;
`
