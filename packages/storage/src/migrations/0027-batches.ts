import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Files of users and batches of requests. Contents and lines are encrypted. */
export const batches: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  create table file (
    id text primary key,
    user_id bigint not null references "user" (id) on delete cascade,
    token_id bigint not null,
    purpose text not null,
    filename text not null,
    mime_type text not null,
    bytes bigint not null default 0,
    is_complete boolean not null default false,
    is_listed boolean not null default true,
    created_at timestamptz not null default now(),
    expires_at timestamptz
  );
  create index file_of_user on file (user_id, created_at, id);
  create index file_expiry on file (expires_at);
  create index file_incomplete on file (created_at) where not is_complete;

  create table file_part (
    file_id text not null references file (id) on delete cascade,
    number integer not null,
    sealed text not null,
    primary key (file_id, number)
  );

  create table batch (
    id text primary key,
    user_id bigint not null references "user" (id) on delete cascade,
    token_id bigint not null,
    token_name text not null,
    protocol text not null check (protocol in ('openai', 'anthropic')),
    endpoint text not null,
    model text not null default '',
    state text not null check (state in ('validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired',
      'cancelling', 'cancelled')),
    input_file_id text,
    output_file_id text,
    error_file_id text,
    metadata jsonb,
    output_seconds integer,
    client_ip text not null,
    total integer not null default 0,
    succeeded integer not null default 0,
    errored integer not null default 0,
    canceled integer not null default 0,
    expired integer not null default 0,
    charged bigint not null default 0,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    errors jsonb,
    state_times jsonb not null default '{}',
    channel_id bigint,
    key_id text,
    upstream_model text,
    upstream_id text,
    upstream_file_id text,
    next_poll_at timestamptz,
    holder text,
    lease_until timestamptz,
    created_at timestamptz not null default now(),
    deadline timestamptz not null,
    ended_at timestamptz
  );
  create index batch_of_user on batch (user_id, created_at, id);
  create index batch_by_time on batch (created_at, id);
  create index batch_open on batch (created_at) where ended_at is null;

  create table batch_line (
    batch_id text not null references batch (id) on delete cascade,
    number integer not null,
    custom_id text not null,
    state text not null default 'pending'
      check (state in ('pending', 'running', 'succeeded', 'errored', 'canceled', 'expired')),
    sealed text,
    attempts integer not null default 0,
    retry_at timestamptz,
    holder text,
    lease_until timestamptz,
    primary key (batch_id, number)
  );
  create index batch_line_pending on batch_line (batch_id, number) where state = 'pending';
  create index batch_line_running on batch_line (batch_id, lease_until) where state = 'running';

  create table batch_charge (
    batch_id text not null,
    number integer not null,
    quota bigint not null,
    charged_at timestamptz not null default now(),
    primary key (batch_id, number)
  );
  create index batch_charge_age on batch_charge (charged_at);
`
