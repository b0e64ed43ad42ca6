import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Events of background responses that are streamed, encrypted. */
export const responseEvents: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  create table stored_response_event (
    user_id bigint not null,
    response_id text not null,
    first_number integer not null,
    last_number integer not null,
    sealed text not null,
    created_at timestamptz not null default now(),
    primary key (user_id, response_id, first_number),
    foreign key (user_id, response_id) references stored_response (user_id, id) on delete cascade
  );
  create index stored_response_event_age on stored_response_event (created_at);
`
