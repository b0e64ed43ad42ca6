import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Batches that a provider runs: what they were submitted with, and when they are polled. */
export const batchSubmissions: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

const statements = `
  alter table batch
    add column terms jsonb,
    add column submitted_at timestamptz,
    add column failed_polls integer not null default 0;
  create index batch_poll on batch (next_poll_at) where ended_at is null and channel_id is not null;
`
