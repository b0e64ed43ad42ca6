import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What keeps logs, sums and dashboards quick at any number of rows, and what is new to remember of calls. */
export const usageAtSize: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(log).execute(db)
    await sql.raw(sums).execute(db)
    await sql.raw(figures).execute(db)
  },
}

/**
 * Read newest first, and the days of the partitions follow the same order: a page of any filter comes from the newest
 * days that have rows for it, and the rest is never opened.
 */
const log = `
  drop index usage_log_user;
  drop index usage_log_time;
  alter table usage_log drop constraint usage_log_pkey;
  alter table usage_log add primary key (created_at, id);
  create index usage_log_user on usage_log (user_id, created_at, id);
  create index usage_log_channel on usage_log (channel_id, created_at, id);
  create index usage_log_model on usage_log (model_name, created_at, id);
  create index usage_log_token on usage_log (token_name, created_at, id);
  create index usage_log_group on usage_log ("group", created_at, id);
  create index usage_log_type on usage_log (type, created_at, id) where type <> 2;
`

/**
 * Sums written with the bookings themselves. The books are \`usage_rollup\`; the others say the same by other questions:
 * what the screens ask for is a few thousand rows of one of them, however many calls there were. \`shard\` keeps nodes
 * that book at once from waiting for each other's rows.
 */
const sums = `
  create table site_hour (
    hour timestamptz not null,
    model_name text not null,
    "group" text not null,
    shard smallint not null,
    requests bigint not null,
    quota bigint not null,
    tokens bigint not null,
    primary key (hour, model_name, "group", shard)
  );
  insert into site_hour
    select hour, model_name, '', 0, sum(requests), sum(quota), sum(prompt_tokens + completion_tokens)
    from usage_rollup group by hour, model_name;

  create table site_day (
    day date not null,
    model_name text not null,
    "group" text not null,
    shard smallint not null,
    requests bigint not null,
    quota bigint not null,
    tokens bigint not null,
    primary key (day, model_name, "group", shard)
  );
  insert into site_day
    select (hour at time zone 'UTC')::date, model_name, "group", 0, sum(requests), sum(quota), sum(tokens)
    from site_hour group by 1, 2, 3;

  create table channel_day (
    channel_id bigint not null,
    day date not null,
    model_name text not null,
    "group" text not null,
    shard smallint not null,
    requests bigint not null,
    quota bigint not null,
    tokens bigint not null,
    primary key (channel_id, day, model_name, "group", shard)
  );
  insert into channel_day
    select channel_id, (created_at at time zone 'UTC')::date, model_name, "group", 0, count(*), sum(quota),
      sum(prompt_tokens + completion_tokens)
    from usage_log where type = 2 and not other ? 'test' group by 1, 2, 3, 4;

  create table user_day (
    user_id bigint not null,
    day date not null,
    model_name text not null,
    token_name text not null,
    "group" text not null,
    requests bigint not null,
    quota bigint not null,
    tokens bigint not null,
    primary key (user_id, day, model_name, token_name, "group")
  );
  create index user_day_token on user_day (token_name, day);
  insert into user_day
    select user_id, (hour at time zone 'UTC')::date, model_name, '', '', sum(requests), sum(quota),
      sum(prompt_tokens + completion_tokens)
    from usage_rollup group by 1, 2, 3;

  create table spender_day (
    day date not null,
    user_id bigint not null,
    requests bigint not null,
    quota bigint not null,
    tokens bigint not null,
    primary key (day, user_id)
  );
  insert into spender_day
    select day, user_id, sum(requests), sum(quota), sum(tokens) from user_day group by 1, 2;
`

/** \`chat_content\` is apart from the log: it is large, private, and kept for a shorter time. */
const figures = `
  create table chat_content (
    request_id text primary key,
    user_id bigint not null,
    created_at timestamptz not null default now(),
    system_prompt text not null default '',
    context text not null default '',
    input_content text not null default '',
    output_content text not null default ''
  );
  create index chat_content_time on chat_content (created_at);

  create unlogged table model_hour (
    model_name text not null,
    hour timestamptz not null,
    served bigint not null,
    failed bigint not null,
    primary key (model_name, hour)
  );
  create index model_hour_hour on model_hour (hour);

  create unlogged table node_figures (
    holder text primary key,
    at timestamptz not null,
    figures jsonb not null
  );
`
