import { sql } from 'kysely'
import type { Db } from '../connection/connect.ts'

/** What connections of a process that serves are called; commands that copy have another name. */
const SERVING_NAME = 'tidegate'

/** How many connections of serving processes the database has. */
export async function countServingConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = ${SERVING_NAME}`.execute(db)
  return rows[0]!.count
}
