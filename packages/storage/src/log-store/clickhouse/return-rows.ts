import { sql } from 'kysely'
import { jsonText } from '../../connection/values.ts'
import { ensureUsageLogPartitions } from '../postgres/partitions.ts'
import type { ClickHouse } from './clickhouse.ts'
import { ch, raw, type Fragment } from './query.ts'
import type { LogSource } from './rows.ts'
import { startOfDay } from './schema.ts'

const ROWS_PER_STATEMENT = 5_000

/** Moves rows from ClickHouse to the table of PostgreSQL. */
export interface ReturningRows {
  /** Days with rows, oldest first. */
  listDays(): Promise<string[]>
  /** Returns the number of rows. */
  returnDay(day: string): Promise<number>
}

export function returningRows(source: LogSource): ReturningRows {
  return {
    listDays: async () => (await countDays(source.clickhouse)).map(({ day }) => day),
    returnDay: (day) => returnDay(source, day),
  }
}

/** Rows that were deleted may still be in the parts that a day has. */
function countDays(clickhouse: ClickHouse): Promise<{ day: string }[]> {
  return clickhouse.rows(raw('select toString(toYYYYMMDD(created_at)) as day from usage_log group by day order by day'))
}

/**
 * Copies a day from ClickHouse to the table of PostgreSQL, then deletes it there. Rows keep their IDs, so a copy that was
 * interrupted can be repeated. Rows that arrive meanwhile stay for the next time. Returns the number of rows.
 */
async function returnDay(source: LogSource, day: string): Promise<number> {
  const { clickhouse, db } = source
  await ensureUsageLogPartitions(db, { from: startOfDay(day), days: 1 })
  const { rows: parcels } = await sql<{ last: number; open: number }>`
    select coalesce(max(id), 0)::bigint as last, count(*) filter (where shipped_at is null)::bigint as open
    from log_parcel`.execute(db)
  const { last, open } = parcels[0]!
  if (open > 0) throw new Error('Log rows are being sent to ClickHouse. Run the command again.')
  /** What was there when the copy began. */
  const there = async (): Promise<Fragment> => {
    const { rows } = await sql<{ token: string }>`select token from log_parcel where id > ${last}`.execute(db)
    const tokens = ['', ...rows.map(({ token }) => token)]
    return ch`toYYYYMMDD(created_at) = ${Number(day)} and toString(parcel) not in ${tokens}`
  }
  let copied = 0
  for (let after: { at: number; id: number } | undefined; ;) {
    const beyond = after ? ch`(created_at, id) > (fromUnixTimestamp64Micro(${after.at}, 'UTC'), ${after.id})` : raw('1')
    const rows = await clickhouse.rows<{ at: number; id: number; other: string }>(ch`
      select ${COLUMNS} from usage_log where ${await there()} and ${beyond} order by created_at, id
      limit ${ROWS_PER_STATEMENT}`)
    if (rows.length > 0) await insertRows(source, rows)
    copied += rows.length
    after = rows.at(-1)
    if (!after || rows.length < ROWS_PER_STATEMENT) break
  }
  // Before the deletion: nothing may send these parcels again because their rows are missing.
  const start = startOfDay(day)
  await sql`
    update log_parcel set attempts = 0
    where id <= ${last} and first_at < ${start}::timestamptz + interval '1 day' and last_at >= ${start}`.execute(db)
  await clickhouse.run(ch`delete from usage_log where ${await there()} settings lightweight_deletes_sync = 2`)
  return copied
}

const COLUMNS = raw(`toUnixTimestamp64Micro(created_at) as at, id, type, user_id, username, token_id, token_name,
  model_name, quota, prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, \`group\`, client_ip,
  request_id, content, other`)

async function insertRows({ db }: LogSource, rows: readonly { other: string }[]): Promise<void> {
  const parsed = rows.map((row) => ({ ...row, other: JSON.parse(row.other) as unknown }))
  await sql`
    insert into usage_log (id, created_at, type, user_id, username, token_id, token_name, model_name, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip, request_id, content,
      other)
    select id, timestamptz 'epoch' + at * interval '1 microsecond', type, user_id, username, token_id, token_name,
      model_name, quota, prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip,
      request_id, content, other
    from json_to_recordset(${jsonText(parsed)}::json) as r(id bigint, at bigint, type smallint, user_id bigint,
      username text, token_id bigint, token_name text, model_name text, quota bigint, prompt_tokens bigint,
      completion_tokens bigint, use_time_ms integer, is_stream boolean, channel_id bigint, "group" text,
      client_ip text, request_id text, content text, other jsonb)
    on conflict (id, created_at) do nothing`.execute(db)
}
