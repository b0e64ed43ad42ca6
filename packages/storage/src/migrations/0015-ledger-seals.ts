import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What `tidegate verify` needs to prove bills: sealed ledger rows, logged amounts, and where each counter starts. */
export const ledgerSeals: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statements of [seals, logs, offsets]) await sql.raw(statements).execute(db)
  },
}

/**
 * Rows that exist already belong to seals 1 and 2, which the worker writes first. The column default avoids a rewrite of
 * the tables; new rows have no seal yet. Older processes write batches without `quota` until they are replaced.
 */
const seals = `
  alter table ledger_entry add column seal bigint default 1;
  alter table ledger_entry alter column seal drop default;
  create index ledger_entry_seal on ledger_entry (seal, id);

  alter table settlement_batch add column quota bigint, add column seal bigint default 2;
  alter table settlement_batch alter column seal drop default;
  create index settlement_batch_seal on settlement_batch (seal, holder collate "C", batch);

  create table ledger_seal (
    id bigint primary key,
    source text not null check (source in ('ledger_entry', 'settlement_batch')),
    row_count bigint not null,
    amount numeric not null,
    requests numeric not null,
    measured boolean not null,
    content_hash text not null,
    previous_hash text not null,
    hash text not null,
    sealed_at timestamptz not null
  );

  create table ledger_digest (
    day date primary key,
    seal bigint not null,
    hash text not null,
    signature text not null
  );
`

/** A site that has usage already may still run older processes for a day; those do not write the logged amounts. */
const logs = `
  alter table usage_rollup
    add column logged_requests bigint not null default 0,
    add column logged_quota bigint not null default 0;

  create table usage_log_floor (
    id integer primary key default 1 check (id = 1),
    complete_from timestamptz not null
  );
  insert into usage_log_floor (complete_from)
    select case when exists (select from usage_rollup) then date_trunc('hour', now()) + interval '25 hours'
      else timestamptz 'epoch' end;
`

/** The part of a counter that no roll-up explains: usage of another product, or of a version that kept no sums. */
const offsets = `
  create table counter_offset (
    kind text not null check (kind in ('user', 'tokens_of_user', 'channel', 'earnings')),
    id bigint not null,
    quota bigint not null,
    primary key (kind, id)
  );

  insert into counter_offset
    select 'user', u.id, u.used_quota - coalesce(r.quota, 0) + coalesce(e.quota, 0)
    from "user" u
    left join (select user_id, sum(quota) quota from usage_rollup group by 1) r on r.user_id = u.id
    left join (select user_id, sum(amount) quota from ledger_entry where kind = 'refund' group by 1) e on e.user_id = u.id
    where u.used_quota <> coalesce(r.quota, 0) - coalesce(e.quota, 0);

  insert into counter_offset
    select 'tokens_of_user', t.user_id, t.quota - coalesce(d.quota, 0) + coalesce(e.quota, 0)
    from (select user_id, sum(used_quota) quota from token group by 1) t
    left join (
      select user_id, sum(quota) quota from user_day where token_name not like 'playground-%' group by 1
    ) d on d.user_id = t.user_id
    left join (
      select user_id, sum(amount) quota from ledger_entry
      where kind = 'refund' and coalesce(details ->> 'token_id', '0') <> '0' group by 1
    ) e on e.user_id = t.user_id
    where t.quota <> coalesce(d.quota, 0) - coalesce(e.quota, 0);

  insert into counter_offset
    select 'channel', c.id, c.used_quota - coalesce(d.quota, 0)
    from channel c left join (select channel_id, sum(quota) quota from channel_day group by 1) d on d.channel_id = c.id
    where c.used_quota <> coalesce(d.quota, 0);

  insert into counter_offset
    select 'earnings', u.id, u.aff_quota + coalesce(m.quota, 0) - coalesce(r.quota, 0)
    from "user" u
    left join (
      select user_id, sum(amount) quota from ledger_entry where kind = 'invite_transfer' group by 1
    ) m on m.user_id = u.id
    left join (
      select (details ->> 'inviter_id')::bigint user_id, sum((details ->> 'inviter_reward')::bigint) quota
      from ledger_entry where kind = 'invite_reward' group by 1
    ) r on r.user_id = u.id
    where u.aff_quota + coalesce(m.quota, 0) <> coalesce(r.quota, 0);
`
