import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'

/** Requests for a model in one hour, on one node. */
export interface ModelHour {
  model: string
  /** The start of the hour, in milliseconds since 1970. */
  hour: number
  served: number
  failed: number
}

/** Adds to the counters. Rows are sorted, so that nodes that write at the same time do not deadlock. */
export async function add(db: Db, rows: readonly ModelHour[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into model_hour as m (model_name, hour, served, failed)
    select model, to_timestamp(hour / 1000.0), sum(served), sum(failed)
    from json_to_recordset(${jsonText(rows)}::json) as s(model text, hour bigint,
      served bigint, failed bigint)
    group by 1, 2 order by 1, 2
    on conflict (model_name, hour) do update set
      served = m.served + excluded.served, failed = m.failed + excluded.failed`.execute(db)
}

/** Hours of these models, oldest first. `hour` is in Unix seconds. */
export async function listSince(
  db: Db,
  models: readonly string[],
  since: Date,
): Promise<{ hour: number; served: number; failed: number }[]> {
  const { rows } = await sql<{ hour: number; served: number; failed: number }>`
    select extract(epoch from hour)::bigint as hour, sum(served)::bigint as served, sum(failed)::bigint as failed
    from model_hour where model_name = any(${models}) and hour >= ${since} group by 1 order by 1`.execute(db)
  return rows
}

export async function removeBefore(db: Db, time: Date): Promise<void> {
  await sql`delete from model_hour where hour < ${time}`.execute(db)
}
