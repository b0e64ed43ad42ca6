import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The ranking of API tokens reads whole days of all users. */
export const usageByDayIndex: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index user_day_day on user_day (day)`.execute(db)
  },
}
