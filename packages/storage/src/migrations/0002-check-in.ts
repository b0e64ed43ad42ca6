import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** One row per user and day: the primary key is what lets only one of many racing check-ins be paid. */
export const checkIn: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table check_in (
        user_id bigint not null,
        day date not null,
        reward bigint not null check (reward >= 0),
        created_at timestamptz not null default now(),
        primary key (user_id, day)
      )
    `.execute(db)
  },
}
