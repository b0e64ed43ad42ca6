import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A hash chain over audit events, a signed digest for each day, and how far events were forwarded. */
export const auditSeals: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

/** Existing events are not rewritten here: the worker seals them in batches. Older processes write events without a seal. */
const statements = `
  alter table audit_event add column seal bigint, add column hash text;
  create index audit_event_seal on audit_event (seal, id);

  create table audit_seal (
    id bigint primary key,
    day date not null,
    event_count bigint not null,
    day_events bigint not null,
    previous_hash text not null,
    head text not null,
    signature text not null,
    sealed_at timestamptz not null
  );

  create table audit_digest (
    day date primary key,
    seal bigint not null,
    event_count bigint not null,
    head text not null,
    previous_day text not null,
    signature text not null
  );

  create table audit_forward (
    destination text primary key check (destination in ('syslog', 'webhook')),
    seal bigint not null,
    event_id bigint not null,
    failures integer not null default 0,
    retry_at timestamptz
  );
`
