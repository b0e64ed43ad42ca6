import { sql, type Insertable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { CounterOffsetTable } from '../../schema/index.ts'

/** Records imported usage, which the counters include and the roll-ups do not. */
export async function add(db: Db, offsets: readonly Insertable<CounterOffsetTable>[]): Promise<void> {
  const counted = offsets.filter(({ quota }) => quota !== 0)
  if (counted.length === 0) return
  await sql`
    insert into counter_offset as o (kind, id, quota)
    select kind, id, sum(quota) from jsonb_to_recordset(${jsonText(counted)}::jsonb)
      as added (kind text, id bigint, quota bigint) group by 1, 2
    on conflict (kind, id) do update set quota = o.quota + excluded.quota`.execute(db)
}
