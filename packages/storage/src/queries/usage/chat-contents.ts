import { sql, type Insertable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'
import type { ChatContentTable } from '../../schema/index.ts'

export type ChatContentRow = Omit<Insertable<ChatContentTable>, 'created_at'>

export async function insert(db: Db, rows: readonly ChatContentRow[]): Promise<void> {
  if (rows.length === 0) return
  // PostgreSQL rejects NUL in text.
  const clean = rows.map((row) => JSON.parse(jsonText(row)) as ChatContentRow)
  await db
    .insertInto('chat_content')
    .values(clean)
    .onConflict((conflict) => conflict.column('request_id').doNothing())
    .execute()
}

/** The stored contents of requests, by request ID. */
export async function findByRequestIds(db: Db, requestIds: readonly string[]) {
  if (requestIds.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('chat_content')
    .select(['request_id', 'system_prompt', 'context', 'input_content', 'output_content'])
    .where('request_id', 'in', requestIds)
    .execute()
  return new Map(rows.map(({ request_id, ...content }) => [request_id, content]))
}

/** Removes at most `limit` rows from before a time and returns their number. */
export async function removeSome(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from chat_content where request_id in (
      select request_id from chat_content where created_at < ${before} limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
