import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What the administration of channels needs: keys found by their hash, one sweep of each kind at a time, notices that do
 * not repeat, and how the last day went by the minute. Virtual models are an option, so their table goes.
 */
export const channelAdministration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  create index channel_key_hash on channel_key (key_hash);
  create index channel_order on channel (priority desc, id desc);

  create table channel_notice (
    channel_id bigint not null references channel (id) on delete cascade,
    status integer not null,
    sent_at timestamptz not null default now(),
    primary key (channel_id, status)
  );

  create table channel_sweep (
    kind text primary key,
    holder text not null,
    expires_at timestamptz not null,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    total integer not null default 0,
    done integer not null default 0,
    failed integer not null default 0,
    current text not null default '',
    cancelled boolean not null default false
  );

  create unlogged table channel_minute (
    channel_id bigint not null,
    minute timestamptz not null,
    succeeded integer not null default 0,
    failed integer not null default 0,
    total_ms bigint not null default 0,
    first_token_ms bigint not null default 0,
    first_tokens integer not null default 0,
    primary key (channel_id, minute)
  );
  create index channel_minute_time on channel_minute (minute);

  drop table model_mapping;
`
