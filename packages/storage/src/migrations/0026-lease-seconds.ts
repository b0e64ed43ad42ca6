import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Processes decide how long their leases outlive their last heartbeat. Those of older releases use 90 seconds. */
export const leaseSeconds: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table gateway_process add column lease_seconds integer not null default 90`.execute(db)
  },
}
