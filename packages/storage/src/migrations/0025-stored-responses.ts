import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Responses and conversations of the Responses API, encrypted, and a switch per API token. */
export const storedResponses: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  create table stored_response (
    user_id bigint not null references "user" (id) on delete cascade,
    id text not null,
    previous_id text,
    thread text not null,
    status text not null
      check (status in ('queued', 'in_progress', 'completed', 'failed', 'cancelled', 'incomplete')),
    channel_id bigint,
    key_id text,
    routed text,
    item_ids text[] not null default '{}',
    sealed text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    lease_until timestamptz,
    primary key (user_id, id)
  );
  create index stored_response_id on stored_response (id);
  create index stored_response_items on stored_response using gin (item_ids);
  create index stored_response_expiry on stored_response (expires_at);

  create table conversation (
    user_id bigint not null references "user" (id) on delete cascade,
    id text not null,
    sealed text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (user_id, id)
  );
  create index conversation_id on conversation (id);
  create index conversation_expiry on conversation (expires_at);

  create table conversation_item (
    position bigint generated always as identity primary key,
    user_id bigint not null,
    conversation_id text not null,
    id text not null,
    sealed text not null,
    foreign key (user_id, conversation_id) references conversation (user_id, id) on delete cascade
  );
  create index conversation_item_of on conversation_item (user_id, conversation_id, position);

  alter table token add column store_responses boolean not null default true;
`
