import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Log rows that wait for another log store. `log_outbox` has the packed rows of settlement batches, stored with their
 * charge. `log_parcel` says which of them are sent together, and is written before they are sent. `log_move` has days
 * with rows in the table that are moved when the outbox has space, `log_target` says where new rows go.
 */
export const logOutbox: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  create table log_parcel (
    id bigint generated always as identity primary key,
    token uuid not null default gen_random_uuid(),
    rows integer not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    attempts integer not null default 0,
    generation integer not null default 0,
    fixed_at timestamptz not null default now(),
    shipped_at timestamptz
  );
  create index log_parcel_open on log_parcel (id) where shipped_at is null;

  create table log_outbox (
    id bigint primary key default nextval('usage_log_id'),
    series text not null,
    batch bigint not null,
    rows integer not null,
    sums jsonb not null default '[]',
    first_at timestamptz,
    last_at timestamptz,
    checkpointed text[] not null default '{}',
    parcel bigint references log_parcel (id),
    bytes integer not null default 0,
    payload bytea,
    created_at timestamptz not null default now()
  );
  alter table log_outbox alter column payload set storage external;
  create index log_outbox_waiting on log_outbox (id) where parcel is null and rows > 0;
  create index log_outbox_payload on log_outbox (id) where payload is not null;
  create index log_outbox_parcel on log_outbox (parcel);
  create index log_outbox_checkpointed on log_outbox using gin (checkpointed) where checkpointed <> '{}';

  create table log_move (
    day date primary key
  );

  create table log_target (
    only_row boolean primary key default true check (only_row),
    store text not null check (store in ('outbox', 'table'))
  );
  insert into log_target (store) values ('outbox');
`
