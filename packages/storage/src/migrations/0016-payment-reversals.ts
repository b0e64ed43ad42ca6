import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Payment events stored once, and refunds, disputes and failed payments that take credit back. */
export const paymentReversals: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  alter table top_up
    drop constraint top_up_status_check,
    add constraint top_up_status_check check (status in ('pending', 'success', 'expired', 'failed')),
    add column reversal text not null default ''
      check (reversal in ('', 'partly_refunded', 'refunded', 'disputed', 'failed')),
    add column payment_reference text not null default '',
    add column reversed_money numeric(24, 2) not null default 0 check (reversed_money between 0 and money),
    add column reversed_quota bigint not null default 0 check (reversed_quota between 0 and quota),
    add column owed_quota bigint not null default 0 check (owed_quota between 0 and reversed_quota),
    add column rebate_user_id bigint,
    add column rebate_reversed bigint not null default 0 check (rebate_reversed >= 0),
    add column rebate_owed bigint not null default 0 check (rebate_owed between 0 and rebate_reversed),
    add column reversal_entries integer not null default 0;
  create index top_up_payment on top_up (provider, payment_reference) where payment_reference <> '';
  create index top_up_owed on top_up (user_id) where owed_quota > 0;
  create index top_up_rebate_owed on top_up (rebate_user_id) where rebate_owed > 0;

  alter table payment_event
    add column event_id text,
    add column type text not null default '',
    add column occurred_at timestamptz,
    add column deliveries integer not null default 1;
  create unique index payment_event_once on payment_event (provider, event_id) where event_id is not null;
  create index payment_event_ignored on payment_event (created_at) where top_up_id is null;

  create table payment_reversal (
    provider text not null,
    reference text not null,
    top_up_id bigint not null references top_up (id),
    kind text not null check (kind in ('refund', 'dispute', 'failure')),
    money numeric(24, 2) not null check (money >= 0),
    status text not null default '',
    active boolean not null,
    final boolean not null default false,
    as_of timestamptz not null,
    primary key (provider, reference)
  );
  create index payment_reversal_order on payment_reversal (top_up_id);
`
