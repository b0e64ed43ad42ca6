import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Messages to a group or to everybody, now or later, brought to their recipients in the background. */
export const messages: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(sending).execute(db)
    await sql.raw(indexes).execute(db)
  },
}

/**
 * Receipts are handed out by user id, from \`reached_user_id\` up to \`last_user_id\`: who had registered when sending
 * began. Both move in the transaction of the receipts, so whoever goes on after a crash begins where they end.
 */
const sending = `
  alter table message
    add column target text not null default 'users' check (target in ('users', 'group', 'all')),
    add column target_group text not null default '',
    add column target_user_ids bigint[],
    add column state text not null default 'sent' check (state in ('scheduled', 'sending', 'sent')),
    add column send_at timestamptz,
    add column sent_at timestamptz,
    add column planned bigint,
    add column delivered bigint not null default 0,
    add column reached_user_id bigint not null default 0,
    add column last_user_id bigint;
  update message set sent_at = created_at, planned = held.receipts, delivered = held.receipts
    from (select message_id, count(*) as receipts from message_recipient group by message_id) held
    where held.message_id = message.id;
`

/**
 * The site's own notices (\`created_by\` 0) are many and on no administrator's list. Pages of an inbox and of recipients
 * come in the order of an index, and readers are counted in one of their own.
 */
const indexes = `
  create index message_written on message (created_at, id) where created_by <> 0;
  create index message_unsent on message (send_at) where state <> 'sent';
  create index message_recipient_inbox on message_recipient (user_id, created_at, message_id);
  drop index message_recipient_message;
  create index message_recipient_message on message_recipient (message_id, created_at, user_id);
  create index message_recipient_readers on message_recipient (message_id) where read_at is not null;
`
