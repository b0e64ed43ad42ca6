import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** From when on usage sums are kept by hour and by day. Before that, they are sums of days and of months. */
export const thinnedSums: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `alter table usage_log_floor
          add column hours_from timestamptz not null default '-infinity',
          add column days_from date not null default '-infinity'`,
      )
      .execute(db)
  },
}
