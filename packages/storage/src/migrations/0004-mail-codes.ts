import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Codes and links sent by mail, one per purpose and address; and addresses found among deregistered users too. */
export const mailCodes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  create table mail_code (
    purpose text not null check (purpose in ('register', 'bind', 'reset')),
    address text not null,
    user_id bigint not null default 0,
    code_hash text not null,
    tries integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    primary key (purpose, address, user_id)
  );
  create index mail_code_expiry on mail_code (expires_at);

  create index user_email_ever on "user" (lower(email)) where email <> '';
`
